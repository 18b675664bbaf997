------------------------ MODULE CatchesUpInsideFetch ------------------------
(***************************************************************************)
(* Where each fetch is a question, no follower asks for ever: it comes to  *)
(* have its leader's log, and every producer that waits is answered.       *)
(***************************************************************************)
EXTENDS Liveness
=============================================================================
