--------------------------- MODULE RefinesKip320 ----------------------------
(***************************************************************************)
(* With KIP-320 the partition is one log to its users, that only grows,    *)
(* although leaders come and go, replicas crash, and those that were       *)
(* replaced still answer.                                                  *)
(***************************************************************************)
EXTENDS Refinement
=============================================================================
