------------------------ MODULE LastReplicaStanding -------------------------
(***************************************************************************)
(* With min.insync.replicas 2 one loss of power should lose nothing that   *)
(* was committed. But the last member of the ISR stays in it when it dies, *)
(* and is elected without what it lost, while the replica that has         *)
(* everything is not in sync.                                              *)
(***************************************************************************)
EXTENDS MC
=============================================================================
