--------------------------- MODULE LateNewsKip320 ---------------------------
(***************************************************************************)
(* KIP-320 where replicas may hear of elections that are no longer the     *)
(* newest, where a message may be lost, where producers may ask for        *)
(* acks=1, and where an unclean election may be held.                      *)
(***************************************************************************)
EXTENDS MC
=============================================================================
