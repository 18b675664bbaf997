-------------------------- MODULE PhantomAtLogEnd ---------------------------
(***************************************************************************)
(* Do leader epochs replace the high watermark? A consumer that read up to *)
(* its leader's log end would read what is cut later.                      *)
(***************************************************************************)
EXTENDS Readers
=============================================================================
