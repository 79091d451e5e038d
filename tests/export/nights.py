"""Nights as texts that several tests export."""

SCENARIO_1 = """\
rack 100x1 100x5 40x25 10x100
game acey-deucey-pot ante=5 max_laps=1
seat A 100 cash
seat B 100 cash
seat C 100 cash
seat D 100 cash
dealer D
round
card 3H JS
bet A 20
card 7D
dealer D
round
card 2C 4C
pass A
card 3D JC
bet B 10
card KD
card 5D TC
bet C 30
card TD
card 2H QS
bet D 45
card 8H
card 2S 9S
pass A
card 4S 9H
pass B
card 5S 9D
pass C
card 6S 9C
pass D
cashout A cash
cashout B cash
cashout C cash
cashout D cash
close
"""
"""LEDGER.md, chapter 9: nets +22, -9, -59, +46; box 0; rack 2,600."""

MONEY = """\
night "Money, everywhere" currency=EUR
rack 100x0.25 100x1 40x5 20x25
game casino-red-dog
cashier Host
float Host 50
seat Ann 100 cash
seat Bob 100
seat Cem 50.25 iou
buy Bob 300
reverse 9 typed 300 for 100
buy Bob 100
lend Ann Bob 30
expense Ann 61 pizza
tip to=Host
tip Bob 10
pay Cem box 20
change Ann 1x25 for 5x5
settle players unit=5
count Ann 70
count Bob 220
count Cem 50
accept equal not found
close
pay 1 5
"""
"""Everything that moves money besides the games."""

CHIP_VALUE = """\
night "Chips at 0.25" currency=EUR chip=0.25
rack 200x1 200x5 80x25
game casino-red-dog
cashier Host buys=cash
float Host 10
seat Ann 20EUR
seat Boris 180 for=50USD rate=0.917
seat Vera 60 iou
buy Vera for=10USD rate=0.9
buy Ann 40 transfer
lend Ann Boris 10
expense Boris 12.50 pizza
tip to=Host
tip Boris 8
count Ann 110
count Boris 180
count Vera 96
count box 73.15
accept equal not found
count Ann 108
accept open looked everywhere
settle players unit=0.50
close
pay 1 1.50
"""
"""Chips that have a value, and cash of another currency."""

UNLUCKY = """\
night "=1+1; x" currency=EUR language=ru
game casino-red-dog
seat "Bob[/]; |x" 100
seat "=HYPERLINK(1)" 100.50
seat "Tom \\"T\\" O'Neil\\\\" 12,50
seat "李雷 👍" 5
seat "²x:y" 5
buy "=HYPERLINK(1)" 10
note date:2026-13-45 ; account:x "quoted\\ |  two  blanks
leave "²x:y"
seat "²x:y" 7
undo
close
"""
