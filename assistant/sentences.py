"""Every sentence a person reads about the game and the money, once, for console, replay and slips.

Rules, ledger and table talk return data and codes; each code has its sentence here, marked for translation.
No sentence depends on a name's gender or case: a name stands alone or after a colon wherever it can.
"""

from __future__ import annotations

from assistant.i18n import N_
from assistant.money_wording import MONEY_REFUSALS

# What was found, what is legal now, what to do: keyed by reason, else by code.
REFUSALS: dict[str, str] = {
    # what cannot be read
    "E_VERB": N_("There is no word “{found}”. Press ? for the words that can be used now."),
    "E_ARGS": N_("That line can't be read."),
    "key_used": N_("That entry was sent before, with other words: “{found}”. Press Enter again."),
    "argument_missing": N_("Something is missing at the end of the line. Add it and press Enter."),
    "argument_extra": N_(
        "“{found}” is too much at the end of the line. Take it out, or put a name in quotes."
    ),
    "argument_unknown": N_("“{found}” can't stand here; possible: {words}."),
    "card_missing": N_("Say which card, for example QH."),
    "quote_open": N_("A quotation mark is not closed. Close it and press Enter."),
    "line_too_long": N_("That line is too long; at most {limit} characters."),
    "not_a_number": N_("“{found}” is not a whole number."),
    "policy_unknown": N_(
        "“{found}” is no way to share a difference; possible: equal, winners, losers, count, open, or a "
        "player."
    ),
    "house_not_counted": N_(
        "The house has no float, so it has no chips of its own: what it wins and loses lies in the rack. "
        "Count that: “count rack” and the amount."
    ),
    "E_PLAYER": N_("Nobody called “{found}” sits at the table. Seat them first, or mend the name."),
    "name_in_quotes": N_('A name with a blank goes in quotes here: "{found}".'),
    "name_control": N_("A name can't hold control or invisible characters. Type it without them."),
    "name_length": N_("A name has 1 to {limit} characters. Type a shorter one."),
    "name_reserved": N_("“{found}” is a word of the table and can't be a name. Add something to it."),
    "name_taken": N_("“{found}” is at the table already. Choose another name, for example “{found} 2”."),
    "name_lookalike": N_(
        "“{found}” looks just like {player:name}, in another alphabet. Choose a different name."
    ),
    "after_self": N_("{player:name} can't sit left of themselves."),
    "banker_bets": N_("{player:name} banks the game and can't bet against it."),
    "player_sits_out": N_("{player:name} sits out. Say “back” first."),
    "player_not_dealt": N_("{player:name} is not dealt in this round."),
    "E_AMOUNT": N_("“{found}” is not an amount. Type whole numbers, for example 25."),
    "amount_or_name": N_(
        "“{found}” is not an amount. If it belongs to the name, put the whole name in quotes: "
        '"{name} {found}".'
    ),
    "amount_money": N_("“{found}” is not an amount. Type it in digits, for example 25 or 2.50."),
    "amount_too_long": N_("“{found}” is too large; at most {digits} digits."),
    "amount_too_fine": N_("“{found}” is too fine: this night counts {decimals} digits after the point."),
    "amount_ambiguous": N_(
        "“{found}” can be read in two ways, as {whole} or as {parts}. "
        "Write {whole}, or with {decimals} decimals: {written}."
    ),
    "amount_zero": N_("The amount must be more than 0."),
    "E_CARD": N_("“{found}” is not a card. Type rank and suit, for example QH or 10s."),
    "card_ambiguous": N_("“{found}” mixes alphabets: {readings}? Type the card in one alphabet."),
    "card_without_suit": N_("“{found}” has no suit, and here suits count. Type it with c, d, h or s."),
    "not_in_market": N_("{card:card} is not in the market; there are: {market:cards}."),
    "none_closed": N_("No closed card is left in the market. Take an open one."),
    "no_ace": N_("There is no ace among these cards. Go on dealing until the first ace."),
    "E_OPTION": N_("There is no such house rule or value."),
    "option_unknown": N_("This game has no house rule “{name}”; it has: {known}."),
    "option_not_here": N_("“{name}=” can't stand here. Take it out, or put a name in quotes."),
    "option_none_such": N_("“{name}=” can't stand here; possible: {legal}."),
    "option_value": N_("{name} can't be “{found}”; possible: {legal}."),
    "option_twice": N_("“{name}” is given twice. Take one out."),
    "game_unknown": N_("There is no game “{found}”; there are: {known}."),
    "currency_unknown": N_("“{found}” is no currency. Use three letters, for example EUR."),
    "decks_of_game": N_("This table plays with {decks}, not {found}. Choose the game again to change that."),
    "one_deck": N_("This game is played with one deck, not {found}."),
    # the moment
    "E_PHASE": N_("That can't be done at this moment."),
    "no_game": N_(
        "No game has been chosen. Choose one first: “game red-dog-pool”, or “game casino-red-dog”."
    ),
    "other_game": N_("That belongs to another game. Press ? for what can be done now."),
    "night_first": N_("The name of the night comes before everything else."),
    "night_closed": N_(
        "The night is closed. A wrong entry: reverse and its number. To play on: reopen and why. "
        "Else begin a new night."
    ),
    "round_runs": N_("A round is being played. Finish it, or call it off with “void”."),
    "round_runs_later": N_("A round is being played. With “later” before it, the line waits for its end."),
    "later_verb": N_("“{found}” can't wait for the end of the round; these can: {words}."),
    "later_now": N_("No round is being played: say it at once, without “later”."),
    "later_nothing": N_("Nothing waits for the end of the round."),
    "later_lookalike": N_(
        "“{found}” looks just like “{other}”, who waits for a chair. Choose a different name."
    ),
    "later_not_waiting": N_("“{found}” doesn't wait. What waits: {words}."),
    "later_twice": N_("“{found}” waits already. To forget what waits: later none."),
    "no_round": N_("No round is being played, so there is nothing to call off."),
    "chips_on_layout": N_("{player:name} has {bet:money} on the layout. Clear them, or finish the round."),
    "bets_closed": N_("Bets are closed until this round is settled."),
    "no_decision": N_("Nobody has to decide now."),
    "card_before_decision": N_(
        "No card is due: first {player:name} calls or raises. The card counts as unseen."
    ),
    "card_not_due": N_("No card is due now. It counts as unseen: put it back, or burn it."),
    "cards_too_many": N_("{found} cards are too many now: {due} can be turned. None was booked."),
    "show_not_due": N_("No hand is due now. Turn the card first."),
    "not_dealing": N_("Hands can't be dealt now. Open the round first."),
    "hands_are_out": N_(
        "The hands are out. Take the lines back to “dealt” with U, then say who had how many: “dealt NAME 4”."
    ),
    "no_bank_due": N_("No bank is due now. Open the round first."),
    "no_choice_of_banker": N_("The banker has nothing to choose now."),
    "ace_first": N_("First {player:name} calls the ace: high or low. The card counts as unseen."),
    "no_ace_to_call": N_("There is no ace to call now."),
    "no_posts": N_("Nobody can bet now. Turn the posts first."),
    "no_draw": N_("No card can be taken now."),
    "no_betting_now": N_("Nobody bets at this moment."),
    "no_betting": N_("Nobody can bet now. Open a round and deal first."),
    "no_deck": N_("No deck is in play now, so nothing can be burned."),
    "target_first": N_("First turn cards until one of rank {limit} or lower; then the bet."),
    "burn_first": N_("Burn the top card first; then the bet."),
    "shuffle_in_round": N_(
        "The stock still has {left} cards. Shuffle when it is used up, or between rounds."
    ),
    # the rules, in their order
    "E_BET_FIXED": N_(
        "{player:name} has bet {bet:money}; a bet on the table can't be changed. Turn the card."
    ),
    "E_TURN": N_("It is not the turn of {found:name}. First: {player:name}."),
    "side_due": N_("The posts are a pair. Say “higher” or “lower” behind the amount."),
    "no_side": N_("The posts are no pair, so there is nothing to call. Say the amount alone."),
    "E_NO_BET": N_("Nobody has bet yet. {player:name} checks or bets."),
    "E_BET_EXISTS": N_("There is a bet of {bet:money} already. Call, raise or fold."),
    "E_CHECK": N_("A bet of {bet:money} has to be answered. Call, raise or fold."),
    "E_NO_REOPEN": N_(
        "The last raise was too small to open the betting again. {player:name} calls or folds."
    ),
    "E_CHIP": N_("There is no chip of {found:money} in the rack; there are: {chips:moneys}."),
    "raise_exact": N_("The raise is exactly {high:money}, not {found:money}."),
    "raise_up_to": N_("{found:money} is too high: raise by 1 to {high:money}."),
    "E_BET_LOW": N_("{found:money} is too low; at least {low:money}."),
    "pool_bet_low": N_("{found:money} is too low for {player:name}: bet {low:money} to {high:money}."),
    "no_raise_left": N_("{player:name} has only {stack:money} in all: call or fold."),
    "raise_low": N_("A raise to {found:money} is too low; at least to {low:money}."),
    "raise_stack": N_("{player:name} can raise to {stack:money} at most, not {found:money}."),
    "no_legal_bet": N_(
        "No card yet: every bet on the layout must be at least {low:money}, and there must be one."
    ),
    "stack_short": N_("{player:name} has only {stack:money}, not {found:money}. Type less."),
    "float_short": N_(
        "{player:name} has only {stack:money}, and the bank's float of {found:money} comes from there. "
        "Put up less, buy in more first, or type no amount: then no float limits the bets."
    ),
    "raise_short": N_(
        "{player:name} has only {stack:money} to raise by, not {found:money}. "
        "Call, or raise less if the rules let them."
    ),
    "bank_short": N_("{player:name} has only {stack:money}, not {found:money}. Put up less."),
    "cashout_nothing": N_("{player:name} has no chips, so there is nothing to cash out."),
    "E_STACK": N_(
        "{player:name} has only {stack:money}, not {found:money}. Bet less, or buy in between rounds."
    ),
    "stack_to_bear": N_(
        "{player:name} has only {stack:money} and can't bear {found:money} of what is missing. "
        "Count again, or share it another way."
    ),
    "pool_bet_high": N_("{found:money} is too high for {player:name}: bet {low:money} to {high:money}."),
    "only_pass": N_("{player:name} has too few chips to cover the worst case, and can only pass."),
    "fund_empty": N_(
        "Nothing is there to bet. Take the wrong payment back first, or {player:name} gives up the hand."
    ),
    "pot_empty": N_("The pot is empty: there is nothing to bet against, {player:name} can only pass."),
    "E_EMPTY": N_("{player:name} has no chips on the layout."),
    "E_LATE": N_("Too late to mend the last payment of {player:name}, or there is nothing to mend."),
    "E_LIMIT": N_("{found:money} more is over the limit for {player:name}; at most {high:money} more."),
    "bank_limit": N_(
        "The bank can't pay {found:money} more for {player:name} in every case; at most {high:money} more."
    ),
    "E_NO_REBET": N_("{player:name} has no earlier bet to repeat. Place chips."),
    "E_BET_PRESENT": N_("{player:name} has chips on the layout already. Clear them first."),
    "E_NO_CARDS": N_("No cards are left. Shuffle first."),
    "stock_empty": N_(
        "The stock is used up. Shuffle the {discards} discards, say “shuffle”, then turn the card."
    ),
    "deck_short": N_("{left} cards are too few for a turn. Shuffle all used cards, say “shuffle”."),
    "no_discards": N_("The stock and the discards are used up. Call the round off with “void”."),
    "E_CONFIG": N_("These house rules can't go together."),
    "casino_limits": N_(
        "The smallest bet ({low:money}) is above the largest ({high:money}). Change min or max."
    ),
    "casino_players": N_(
        "{found} players are too many for casino Red Dog; at most {most}. Let some sit out."
    ),
    "stake_below_odds": N_("A bank of {found:money} covers no bet; the stake must be at least {low:money}."),
    "pool_capacity": N_(
        "{players} players with {hand} cards each need {needed} cards; a deck has 52, and at most "
        "{most} can play. Choose a smaller hand, or let some sit out."
    ),
    "acey_players": N_("{found} players are too many for this game; at most {most}. Let some sit out."),
    "rake_misdeal": N_("{player:name} has {found} cards instead of {hand}. Deal again, then say “dealt”."),
    "hands_too_many": N_("{found} cards were dealt; a deck has 52. Mend the numbers."),
    "E_PLAYERS": N_("Too few can play."),
    "pool_players": N_("{found} can pay {ante:money}; at least 2 are needed. Buy in, or lower the ante."),
    "players_sit_out": N_(
        "Too few play who can pay {ante:money}: {found}, and {out} more who sit out. "
        "Call them back with “back”."
    ),
    "bank_players": N_("Somebody must be able to bank {low:money}, and another to bet. Buy in first."),
    "no_punters": N_("No punter has chips left. The banker retires."),
    "nobody_seated": N_("Nobody is seated. Seat the players first."),
    "stitch_due": N_("The bank has grown to {bank:money}, {low:money} or more: stitch or retire."),
    "stitch_early": N_("The bank of {bank:money} has not grown to {low:money} yet: keep or retire."),
    "E_BANK_LOW": N_("A bank of {found:money} is too small; at least {low:money}."),
    "E_POOL": N_(
        "There is only {high:money} to give, not {found:money}; what would pay a bet counts as gone."
    ),
    "pool_left_over": N_("The pool still holds {pool:money}, and this game has none. Say “share” first."),
    "pool_empty": N_("There is nothing in the pool to share."),
    "share_nobody": N_("The pool holds {pool:money}, and nobody is seated to share it. Seat somebody first."),
    "close_nobody": N_(
        "The pool holds {pool:money}, and nobody is seated to share it. "
        "Keep it for another night with “close pool=carry”, or seat somebody."
    ),
    "no_pool_game": N_("A pool can only be carried into a game that has one. Choose the game first."),
    "E_DUPLICATE_CARD": N_(
        "{card:card} has been seen already. Look again: another card, or fix the earlier one."
    ),
    "E_HAND": N_("Show a winning card, or the whole hand."),
    "hand_incomplete": N_(
        "That neither beats {turned:card} nor is the whole hand of {hand}. "
        "Show a winning card, or all {hand}."
    ),
    "whole_hand_due": N_("{found} of {hand} cards: here the whole hand settles the bet. Show all {hand}."),
    "hand_too_many": N_("{found} cards are more than the hand of {hand}. Look again."),
    "rake_hand": N_("{found} cards were shown; {player:name} has {hand}. Show all of them."),
    "rake_taken": N_("{player:name} took {card:card}, and it is not among the cards shown. Look again."),
    "ace_unbeaten": N_("Nothing beats {turned:card}: {player:name} has lost, or the card was another one."),
    "show_the_cards": N_("Here only shown cards settle a bet. Show the hand of {player:name}."),
    "E_FIX": N_("That card can't be mended."),
    "fix_not_found": N_(
        "{card:card} was not recorded in a round. Look at the log for the card as it was read."
    ),
    "fix_same": N_("Both are the same card; there is nothing to mend."),
    "fix_illegal": N_(
        "With that card round {round} would not have gone on like that: {why:why} "
        "Undo up to the card instead, or call the round off."
    ),
    "fix_other_course": N_(
        "With that card round {round} would have taken another course. "
        "Undo up to the card instead, or call the round off."
    ),
    "fix_below_zero": N_(
        "With that card {player:name} would be short of {missing:money}. Let them buy in first."
    ),
    "fix_gone_short": N_(
        "With that card {player:name}, who has left, would owe {missing:money}. Enter “seat” and the name, "
        "then “iou”, the name and {missing:money}, then mend the card again."
    ),
    "fix_fund_short": N_(
        "With that card the pool or bank would be short of {missing:money} for the bet that lies against it. "
        "Settle that bet first."
    ),
    "fix_player_gone": N_(
        "With that card {player:name}, who has left, would get {due:money} more. Enter “seat” and the name, "
        "then mend the card again."
    ),
    "E_COUNT": N_(
        "{player:name}: counted {found:money}, ledger {stack:money}, difference {difference:signed}. "
        "Count again, or accept the difference."
    ),
    "nothing_to_accept": N_("No count differs, so there is nothing to accept."),
    "nobody_to_bear": N_("Nobody is among the {policy}. Choose another way, or a player."),
    "E_UNDO": N_("There are not that many lines to take back."),
    "nothing_to_redo": N_(
        "Nothing was undone just before, so nothing can be put back: "
        "u takes the last line back; U puts it back."
    ),
    "undo_strict": N_(
        "In this house a placed bet stays as it was typed: {line}. Call the round off with “void”, or mend a "
        "mistaken payment with “correct”."
    ),
    "bet_strict": N_(
        "In this house a placed bet stays as it was typed, and this would give {player:name} {found:money} "
        "back. Play the round, or turn its first card and call it off with “void”."
    ),
    "fix_strict": N_("In this house no round is worked out again. Call it off with “void”."),
    "undo_closed": N_(
        "The night is closed, so “{verb}” does nothing. A wrong entry: reverse and its number. "
        "To play on: reopen and why."
    ),
    "undo_close": N_("The night was closed in between; what was before that can't be taken back."),
    **MONEY_REFUSALS,
}

# What the dealer does now; the first word is the verb.
DUTIES: dict[str, str] = {
    "no_game": N_("CHOOSE a game"),
    "no_players": N_("SEAT the players"),
    "closed": N_("SETTLE: the night is closed"),
    "counting": N_("COUNT the chips: no bets or buy-ins until the count ends"),
    "bets_open": N_("PLACE chips: bets are open"),
    "deal_two": N_("DEAL two cards, or more bets"),
    "deal_two_only": N_("DEAL two cards"),
    "deal_second": N_("DEAL the second card"),
    "ask_raise": N_("ASK {player:name}: raise {ante:money}?"),
    "ask_raise_rest": N_("ASK {player:name}: raise {high:money}, all that is left?"),
    "ask_raise_up_to": N_("ASK {player:name}: raise by up to {high:money}?"),
    "skip_raise_empty": N_("SKIP {player:name}: no chips left for a raise"),
    "skip_raise_short": N_("SKIP {player:name}: {stack:money} left, a raise takes {ante:money}"),
    "deal_third": N_("DEAL the third card"),
    "deal_third_pair": N_("DEAL the third card: a pair"),
    "shuffle_due": N_("SHUFFLE the shoe: {left} cards are left"),
    "open_round": N_("OPEN the round: ante {ante:money} each"),
    "open_round_free": N_("OPEN the round: no antes, the pool has {pool:money}"),
    "turn_target": N_("TURN cards for {player:name} until one is {limit} or lower"),
    "need_players": N_("BUY IN: fewer than two can pay {ante:money}"),
    "need_back": N_("CALL BACK who sits out: {out} more can pay {ante:money}"),
    "deal_hands": N_("DEAL {hand} cards to each of {players}"),
    "ask_bet": N_("ASK {player:name}: bet {low:money} to {high:money}, or fold"),
    "ask_bet_or_pass": N_("ASK {player:name}: bet {low:money} to {high:money}, or pass"),
    "open_bank_round": N_("OPEN the round: {player:name} banks"),
    "need_punters": N_("BUY IN: one must bank {ante:money}, another bet"),
    "put_up_bank": N_("PUT UP the bank: {player:name}, {low:money} to {high:money}"),
    "put_up_agreed": N_("PUT UP the bank: {player:name}, {bank:money}"),
    "bank_too_poor": N_("VOID the round: {player:name} can't bank {low:money} any more"),
    "open_bets": N_("SHUFFLE, then open the bets with “dealt”"),
    "burn_and_bank_card": N_("BURN a card, TURN the bank card"),
    "bank_card": N_("TURN the bank card"),
    "turn_shared": N_("TURN {left} cards for all punters: do they beat {turned:card}?"),
    "show_whole_hand": N_("SHOW all {hand} cards of {player:name}: do they beat {turned:card}?"),
    "ask_keep": N_("ASK {player:name}: keep the bank of {bank:money}, or retire?"),
    "ask_stitch": N_("ASK {player:name}: the bank has grown to {bank:money}. Stitch, or retire?"),
    "ask_retire": N_("RETIRE: no punter has chips left, {player:name} takes the bank back"),
    "deal_posts": N_("DEAL two posts for {player:name}"),
    "deal_second_post": N_("DEAL the second post for {player:name}"),
    "ask_ace": N_("ASK {player:name}: is the ace high or low?"),
    "ask_side": N_("ASK {player:name}: bet {low:money} to {high:money} higher or lower, or pass"),
    "ask_pass": N_("PASS: {player:name} can't cover a bet"),
    "fold_empty": N_("FOLD {player:name}, or take the wrong payment back: nothing is there to bet"),
    "pass_empty_bank": N_("PASS {player:name}, or take the wrong payment back: nothing is there to bet"),
    "pass_empty": N_("PASS {player:name}: the pot is empty"),
    "deal_third_higher": N_("DEAL the third card for {player:name}: higher"),
    "deal_third_lower": N_("DEAL the third card for {player:name}: lower"),
    "shuffle_used": N_("SHUFFLE all used cards: {left} are left"),
    "ask_check_or_bet": N_("ASK {player:name}: check, or bet {low:money} or more?"),
    "ask_call_or_raise": N_("ASK {player:name}: call {bet:money}, raise to {low:money} or more, or fold?"),
    "ask_call": N_("ASK {player:name}: call {bet:money}, or fold?"),
    "lay_market": N_("LAY OUT {left} open cards, then as many closed"),
    "open_hand": N_(
        "OPEN the hand of {opening:name} (show), or ASK {player:name}: which card? {closed} closed"
    ),
    "ask_draw": N_("ASK {player:name}: which card of the market? {closed} closed"),
    "draw_tie": N_("DRAW a card for {player:name}: the hands are the same"),
    "show_five": N_("SHOW the {hand} cards of {player:name}"),
    "burn_card": N_("BURN a card for {player:name}"),
    "turn_card": N_("TURN a card for {player:name}"),
    "burn_and_turn": N_("BURN a card, TURN the next for {player:name}"),
    "show_hand": N_("SHOW the hand of {player:name}: does it beat {turned:card}?"),
    "stock_empty": N_("SHUFFLE the {discards} discards: the stock is used up"),
    "no_cards": N_("CALL OFF the round: no cards are left"),
    "too_many_players": N_("LET some sit out: {players} are too many, at most {most} can play"),
    "too_many_hands": N_(
        "LET some sit out: {players} with {hand} cards each need {needed} of 52, at most {most} play"
    ),
}

# The same where only one amount is possible.
EXACT_DUTIES: dict[str, str] = {
    "ask_bet": N_("ASK {player:name}: bet {low:money}, or fold"),
    "ask_bet_or_pass": N_("ASK {player:name}: bet {low:money}, or pass"),
    "ask_side": N_("ASK {player:name}: bet {low:money} higher or lower, or pass"),
    "put_up_bank": N_("PUT UP the bank: {player:name}, {low:money}"),
}

# What the dealer says aloud.
ANNOUNCEMENTS: dict[str, str] = {
    "say_place_bets": N_("Place your bets, {low:money} to {high:money}."),
    "say_no_more_bets": N_("No more bets."),
    "say_spread": N_("Spread {spread}. Pays {odds:odds}. Raise?"),
    "say_spread_only": N_("Spread {spread}. Pays {odds:odds}."),
    "say_pair": N_("A pair. One more card: three of a kind pays 11 to 1."),
    "say_ask_bet": N_("{player:name}, the pool is {pool:money}."),
    "say_ask_bank": N_("{player:name}, the bank is {pool:money}."),
    "say_ask_room": N_("{player:name}, the bank is {pool:money}, {room:money} open."),
    "say_bank_card": N_("The bank has {turned:card}."),
    "say_ace": N_("{player:name}, high or low?"),
    "say_posts": N_("{player:name}: spread {spread}, the pot is {pool:money}."),
    "say_pair_posts": N_("{player:name}: a pair, the pot is {pool:money}."),
    "say_rake_turn": N_("{player:name}, the pot is {pool:money}."),
    "say_rake_bet": N_("{player:name}, {bet:money} to call."),
    "say_draw": N_("{player:name} draws."),
    "say_showdown": N_("Show your hands."),
    "say_bet": N_("{player:name} bets {bet:money}."),
    "say_turned": N_("{turned:card} to beat, for {bet:money}."),
}

# The odds of the moment; an edge is what a bet of one brings on average.
ODDS: dict[str, str] = {
    "round": N_("Next round, played right: {edge:edge} of the bet"),
    "raise_from": N_("A raise pays from spread {spread} on"),
    "also_raise": N_("With this shoe also on {low:card} and {high:card}: {edge:edge}"),
    "only_call": N_("With this shoe not on {low:card} and {high:card}: {edge:edge}"),
    "spread": N_("Spread {spread} pays {odds:odds}: {chance:percent}, a raise {edge:edge}"),
    "between": N_("Between: {chance:percent}, {wins} of {unseen} cards"),
    "raise": N_("RAISE pays: {edge:edge} of the raise"),
    "no_raise": N_("No raise: {edge:edge} of the raise"),
    "third": N_("Three of a kind: {chance:percent}, {wins} of {unseen} cards"),
    "beats": N_(
        "A hand of {size} unseen beats {turned:card}: {chance:percent}; "
        "{higher} of {unseen} unseen cards are higher"
    ),
    "next_target": N_("A hand of {size} unseen beats the target to come: {chance:percent}"),
    "next_card": N_("A hand of {size} unseen beats the next card: {chance:percent}"),
    "bet": N_("A bet brings {edge:edge} of it on average"),
    "posts": N_("Between: {chance:percent}; {wins} win, {lose} lose, {post} hit a post, of {unseen}"),
    "posts_higher": N_("Higher: {chance:percent}; {wins} win, {lose} lose, {post} match, of {unseen}"),
    "posts_lower": N_("Lower: {chance:percent}; {wins} win, {lose} lose, {post} match, of {unseen}"),
    "posts_either": N_("Either side: {chance:percent}; {wins} win, {lose} lose, {post} match, of {unseen}"),
    "none": N_("There are no exact odds for this moment"),
}

ROLES: dict[str, str] = {
    "post": N_("post"),
    "third": N_("third"),
    "turned": N_("turned"),
    "burned": N_("burned"),
    "exposed": N_("exposed"),
    "hand": N_("hand"),
    "passed": N_("too high"),
    "shared": N_("shared hand"),
    "market": N_("market"),
    "taken": N_("taken"),
    "tie-break": N_("tie-break"),
}

COMMON_CHIPS: dict[str, str] = {"pool": N_("pool"), "pot": N_("pot"), "bank": N_("bank")}

FIELDS: dict[str, str] = {
    "Cons": N_("Cons"),
    "Pair": N_("Pair"),
    "3 of a kind": N_("3 of a kind"),
}

GAME_NAMES: dict[str, str] = {
    "casino-red-dog": N_("Casino Red Dog"),
    "red-dog-pool": N_("Pool Red Dog"),
    "red-dog-burn": N_("Pool Red Dog with burn"),
    "red-dog-bank": N_("Banking Red Dog"),
    "six-spot-red-dog": N_("Six-Spot Red Dog"),
    "polish-red-dog": N_("Polish Red Dog"),
    "acey-deucey-pot": N_("Acey-Deucey"),
    "rake": N_("Rake"),
}

# What the cards of a game are called where not as usual: rank and suit by their letters.
DECK_NAMES: dict[str, dict[str, str]] = {
    "rake": {
        "J": N_("Priest"),
        "Q": N_("Lady"),
        "K": N_("Duke"),
        "A": N_("Ace"),
        "S": N_("Skulls"),
        "C": N_("Crosses"),
        "H": N_("Wings"),
        "D": N_("Fangs"),
    },
}

CATEGORIES: tuple[str, ...] = (
    N_("High Card"),
    N_("Pair"),
    N_("Two Pair"),
    N_("Three of a Kind"),
    N_("Run"),
    N_("Suits Full"),
    N_("Full Pack"),
    N_("Quads"),
    N_("Rake"),
)
