import type { Macro, MacroReferences } from '@recado/contract/macros/macros'
import type { Ticket } from '@recado/contract/tickets'
import { IconStack2 } from '@tabler/icons-react'
import { useState } from 'react'
import { useSession } from '../../../lib/session.tsx'
import { useTexts } from '../../../lib/texts.ts'
import { moveFocus } from '../../../parts/conversation/dialogs/move-focus.ts'
import { describeStepForMany } from '../../../parts/macros/describe-step.ts'
import { macroTexts } from '../../../parts/macros/texts.ts'
import { isOfferedIn, useMacros } from '../../../parts/macros/use-macros.ts'
import { searchQuickReplies } from '../../../parts/message/composer/match-quick-replies.ts'
import { SearchBox } from '../../../records/search-box.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import classes from './macro-dialog.module.css'
import { selectionTexts } from './texts.ts'

/** So many macros are found faster by typing. */
const minForSearch = 8

type Props = { tickets: Ticket[]; onChoose: (macroId: number) => void; onClose: () => void }

/** The macros that do something with a ticket besides writing, each with its steps. */
export default function MacroDialog({ tickets, onChoose, onClose }: Props) {
  const words = useTexts(selectionTexts)
  const [typed, setTyped] = useState('')
  const loaded = useMacros()
  // The dialog gives the focus to its first choice when it opens.
  if (!loaded) return null
  const offered = loaded.macros.filter(
    (macro) => macro.steps.length > 0 && tickets.every(({ queueId }) => isOfferedIn(macro, queueId)),
  )
  const named = offered.map((macro) => ({ macro, shortcode: macro.shortcode, message: macro.name }))
  const shown = typed.trim() ? searchQuickReplies(named, typed).map(({ macro }) => macro) : offered
  return (
    <Sheet opened onClose={onClose} size={560} title={words.macroTitle}>
      {offered.length >= minForSearch && (
        <div className={classes.search}>
          <SearchBox label={words.macroSearch} value={typed} onChange={setTyped} onClear={() => setTyped('')} />
        </div>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups inputs; these are buttons. */}
      <div role="group" aria-label={words.macroTitle} className={classes.list} onKeyDown={moveFocus}>
        {shown.map((macro, i) => (
          <MacroChoice
            key={macro.id}
            macro={macro}
            references={loaded.references}
            isFirst={i === 0 && offered.length < minForSearch}
            onChoose={() => onChoose(macro.id)}
          />
        ))}
        {shown.length === 0 && (
          <p className={classes.none}>{offered.length > 0 ? words.noMacroFound : words.noMacros}</p>
        )}
      </div>
      <p className={classes.foot}>{words.macroFoot}</p>
    </Sheet>
  )
}

type ChoiceProps = { macro: Macro; references: MacroReferences; isFirst: boolean; onChoose: () => void }

function MacroChoice({ macro, references, isFirst, onChoose }: ChoiceProps) {
  const words = useTexts(selectionTexts)
  const stepWords = useTexts(macroTexts)
  const me = useSession().user?.id ?? 0
  const steps = macro.steps.map((step) => describeStepForMany(step, references, { words: stepWords, me }))
  const ignored = macro.message && macro.mediaName ? 'both' : macro.message ? 'text' : macro.mediaName ? 'file' : null
  return (
    <button type="button" className={classes.macro} data-autofocus={isFirst || undefined} onClick={onChoose}>
      <IconStack2 size={18} stroke={1.75} aria-hidden="true" />
      <span className={classes.words}>
        <span className={classes.head}>
          <b>{macro.name}</b>
          <span className={classes.code}>/{macro.shortcode}</span>
          {ignored && <span className={classes.ignored}>{words.without[ignored]}</span>}
        </span>
        <span className={classes.steps}>{steps.join(' · ')}</span>
      </span>
    </button>
  )
}
