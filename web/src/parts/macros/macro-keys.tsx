import type { Macro } from '@recado/contract/macros/macros'
import type { Ticket } from '@recado/contract/tickets'
import { useShortcut } from '../../lib/shortcuts.ts'
import { useTexts } from '../../lib/texts.ts'
import { macroTexts } from './texts.ts'
import { isOfferedIn, useMacros } from './use-macros.ts'

type Props = { ticket: Ticket; onPress: (macro: Macro) => void }

/** Alt, Shift and a digit for the macros that have one. Of two with the same digit, the user's own one acts. */
export default function MacroKeys({ ticket, onPress }: Props) {
  const macros = useMacros()?.macros ?? []
  const byDigit = new Map<number, Macro>()
  for (const macro of macros)
    if (macro.digit !== null && !byDigit.has(macro.digit) && isOfferedIn(macro, ticket.queueId))
      byDigit.set(macro.digit, macro)
  return [...byDigit].map(([digit, macro]) => (
    <MacroKey key={digit} digit={digit} macro={macro} onPress={() => onPress(macro)} />
  ))
}

function MacroKey({ digit, macro, onPress }: { digit: number; macro: Macro; onPress: () => void }) {
  const words = useTexts(macroTexts)
  useShortcut(`alt+shift+${digit}`, onPress, { label: words.key(macro.name), group: 'ticket' })
  return null
}
