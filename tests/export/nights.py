"""Nights as texts that several tests export."""

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
