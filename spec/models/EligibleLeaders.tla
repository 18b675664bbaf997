-------------------------- MODULE EligibleLeaders ---------------------------
(***************************************************************************)
(* KIP-966: who leaves an ISR that is too small stays eligible, for        *)
(* nothing is committed without it. One that stopped without a word is     *)
(* not.                                                                    *)
(***************************************************************************)
EXTENDS MC
=============================================================================
