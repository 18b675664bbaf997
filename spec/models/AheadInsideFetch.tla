-------------------------- MODULE AheadInsideFetch --------------------------
(***************************************************************************)
(* Truncation inside Fetch beside a broker that does not fence. A leader   *)
(* that has not heard of its own election knows nothing of the epoch that  *)
(* the follower's log ends with, says "out of range", and the follower     *)
(* cuts to its end.                                                        *)
(***************************************************************************)
EXTENDS MC
=============================================================================
