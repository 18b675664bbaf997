-------------------------- MODULE ConsumerUnaware ---------------------------
(***************************************************************************)
(* After an unclean election the log is another one. A consumer that       *)
(* brings only its offset goes on as if nothing had happened.              *)
(***************************************************************************)
EXTENDS Readers
=============================================================================
