------------------------ MODULE TruncationNeverEnds -------------------------
(***************************************************************************)
(* KAFKA-10706: an epoch without records stays at the end of the           *)
(* follower's cache, for cutting no record clears nothing. The follower    *)
(* asks for it, is told to go back, and asks for it again.                 *)
(***************************************************************************)
EXTENDS Liveness
=============================================================================
