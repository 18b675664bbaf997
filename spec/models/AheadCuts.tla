----------------------------- MODULE AheadCuts ------------------------------
(***************************************************************************)
(* ... cuts to its leader's end since (KAFKA-7414). Here records are in    *)
(* the old format, so that it is the high watermark alone that it goes by; *)
(* which stays above the cut, and a replica that is elected with such a    *)
(* one begins at 0.                                                        *)
(***************************************************************************)
EXTENDS MC
=============================================================================
