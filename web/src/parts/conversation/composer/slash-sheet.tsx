import { Button } from '@mantine/core'
import type { Macro } from '@recado/contract/macros/macros'
import type { Ticket } from '@recado/contract/tickets'
import { IconBolt, IconChevronRight, IconPaperclip, IconStack2 } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { MacroBody } from '../../macros/macro-body.tsx'
import { macroTexts } from '../../macros/texts.ts'
import { useMacroPreview } from '../../macros/use-macro-preview.ts'
import { searchQuickReplies } from '../../message/composer/match-quick-replies.ts'
import { BottomSheet } from './bottom-sheet.tsx'
import classes from './slash-sheet.module.css'
import { texts } from './texts.ts'
import { countSteps, type SlashOption } from './use-quick-replies.ts'

/** So many options are found faster by typing. */
const minForSearch = 8

type Props = {
  ticket: Ticket
  /** The macros and quick replies to choose from. */
  options: SlashOption[]
  /** The macro that was chosen; null: the list. */
  previewed: Macro | null
  fillVariables: (text: string) => string
  onPreview: (macro: Macro | null) => void
  onPick: (option: SlashOption) => void
  onClose: () => void
}

/** On a phone: the list, what the chosen macro would do, and then it is prepared. */
export default function SlashSheet({ previewed, onPreview, options, ...props }: Props) {
  const { ticket, fillVariables, onPick, onClose } = props
  if (previewed)
    return (
      <MacroSheet
        macro={previewed}
        {...{ ticket, fillVariables, onClose }}
        onBack={() => onPreview(null)}
        onPrepare={() => onPick({ kind: 'macro', macro: previewed })}
      />
    )
  return (
    <ListSheet
      options={options}
      {...{ fillVariables, onClose }}
      onChoose={(option) => (option.kind === 'macro' ? onPreview(option.macro) : onPick(option))}
    />
  )
}

type MacroProps = Pick<Props, 'ticket' | 'fillVariables' | 'onClose'> & {
  macro: Macro
  onBack: () => void
  onPrepare: () => void
}

function MacroSheet({ macro, ticket, fillVariables, onBack, onPrepare, onClose }: MacroProps) {
  const words = useTexts(macroTexts)
  const preview = useMacroPreview({ macro, ticket, fillVariables })
  return (
    <BottomSheet
      opened
      onClose={onClose}
      title={macro.name}
      foot={
        <>
          <Button variant="default" onClick={onBack}>
            {words.back}
          </Button>
          <Button data-autofocus onClick={onPrepare}>
            {words.prepare}
          </Button>
        </>
      }
    >
      <div className={classes.preview}>
        <p className={classes.about}>
          {words.from[macro.audience]} · {words.uses(macro.uses)}
        </p>
        <MacroBody preview={preview} fileName={macro.mediaName} />
        <p className={classes.about}>{words.prepared}</p>
      </div>
    </BottomSheet>
  )
}

type ListProps = Pick<Props, 'options' | 'fillVariables' | 'onClose'> & { onChoose: (option: SlashOption) => void }

const named = (option: SlashOption) => {
  const { shortcode, message } = option.kind === 'macro' ? option.macro : option.reply
  return { option, shortcode, message: option.kind === 'macro' ? `${option.macro.name} ${message}` : message }
}

function ListSheet({ options, fillVariables, onChoose, onClose }: ListProps) {
  const words = useTexts(texts)
  const { macros, search, noMatch } = useTexts(macroTexts)
  const [typed, setTyped] = useState('')
  const shown = typed.trim() ? searchQuickReplies(options.map(named), typed).map(({ option }) => option) : options
  const groups = (['macro', 'reply'] as const)
    .map((kind) => ({ kind, ofKind: shown.filter((option) => option.kind === kind) }))
    .filter(({ ofKind }) => ofKind.length > 0)
  return (
    <BottomSheet opened onClose={onClose} title={words.quickReplies}>
      {options.length >= minForSearch && (
        <input
          type="search"
          className={classes.search}
          aria-label={search}
          placeholder={search}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {groups.map(({ kind, ofKind }) => (
        <section key={kind} aria-label={kind === 'macro' ? macros : words.quickReplies}>
          <h3 className={classes.title}>{kind === 'macro' ? macros : words.quickReplies}</h3>
          {ofKind.map((option) => (
            <OptionButton
              key={option.kind === 'macro' ? option.macro.id : option.reply.id}
              {...{ option, fillVariables }}
              onChoose={() => onChoose(option)}
            />
          ))}
        </section>
      ))}
      {shown.length === 0 && <p className={classes.none}>{options.length > 0 ? noMatch : words.noReplies}</p>}
    </BottomSheet>
  )
}

type OptionProps = { option: SlashOption; fillVariables: (text: string) => string; onChoose: () => void }

function OptionButton({ option, fillVariables, onChoose }: OptionProps) {
  const words = useTexts(texts)
  const { steps } = useTexts(macroTexts)
  const isMacro = option.kind === 'macro'
  const { shortcode } = isMacro ? option.macro : option.reply
  const Icon = isMacro ? IconStack2 : IconBolt
  return (
    <button type="button" className={classes.option} onClick={onChoose}>
      <Icon size={20} stroke={1.75} aria-hidden="true" />
      <span className={classes.words}>
        <span className={classes.name}>{isMacro ? option.macro.name : fillVariables(option.reply.message)}</span>
        <span className={classes.code}>/{shortcode.replace(/^\//, '')}</span>
      </span>
      {isMacro ? (
        <span className={classes.count}>
          {steps(countSteps(option.macro))}
          <IconChevronRight size={16} stroke={1.75} aria-hidden="true" />
        </span>
      ) : (
        option.reply.mediaPath && <IconPaperclip size={16} stroke={1.75} aria-label={words.withFile} role="img" />
      )}
    </button>
  )
}
