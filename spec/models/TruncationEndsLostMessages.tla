--------------------- MODULE TruncationEndsLostMessages ---------------------
(***************************************************************************)
(* Truncation ends, followers catch up and producers are answered also     *)
(* where a request or a reply is lost on the way.                          *)
(***************************************************************************)
EXTENDS Liveness
=============================================================================
