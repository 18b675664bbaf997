----------------------------- MODULE StaleEntry -----------------------------
(***************************************************************************)
(* KAFKA-10706 is more than truncation that never ends. An entry without   *)
(* records at the log end is not cleared when a follower of 2.0.1 to 2.6.0 *)
(* truncates. When records of an older epoch come after it, the cache      *)
(* drops that epoch's own entry together with it: the epoch seems to begin *)
(* later than it does.                                                     *)
(***************************************************************************)
EXTENDS MC
=============================================================================
