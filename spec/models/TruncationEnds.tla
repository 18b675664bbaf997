--------------------------- MODULE TruncationEnds ---------------------------
(***************************************************************************)
(* With that mended every truncation ends, every follower whose leader     *)
(* stays comes to have its log, and every producer that waits is answered. *)
(***************************************************************************)
EXTENDS Liveness
=============================================================================
