-------------------------- MODULE NextHigherPower ---------------------------
(***************************************************************************)
(* The common wording of KIP-279: the leader answers with the start of the *)
(* next higher epoch. With that an emptied leader does no harm.            *)
(***************************************************************************)
EXTENDS MC
=============================================================================
