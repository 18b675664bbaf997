------------------------------ MODULE Phantom -------------------------------
(***************************************************************************)
(* A consumer reads what the high watermark covers, and with truncation to *)
(* the own high watermark another record stands there later.               *)
(***************************************************************************)
EXTENDS Readers
=============================================================================
