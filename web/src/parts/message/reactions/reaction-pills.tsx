import type { Message } from '@recado/contract/messages'
import { useTexts } from '../../../lib/texts.ts'
import { useMessageContext } from '../message-context.ts'
import { texts } from '../texts.ts'
import classes from './reactions.module.css'
import { groupReactions, type ReactionGroup } from './reactions.ts'

/** The reactions to a message. A click adds or removes the company's reaction. */
export function ReactionPills({ message }: { message: Message }) {
  const words = useTexts(texts)
  const { handlers, canReact } = useMessageContext()
  const groups = groupReactions(message.reactions, words.us)
  const all = groups.map(({ emoji, names }) => `${emoji} ${names}`.trim()).join(', ')
  if (!canReact)
    return (
      <span className={classes.pills} role="img" aria-label={words.reactions(all)} title={all}>
        {groups.map((group) => (
          <span key={group.emoji} className={classes.pill} data-ours={group.ours || undefined}>
            <PillContent group={group} />
          </span>
        ))}
      </span>
    )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <span className={classes.pills} role="group" aria-label={words.reactions(all)}>
      {groups.map((group) => (
        <button
          key={group.emoji}
          type="button"
          tabIndex={-1}
          className={classes.pill}
          data-ours={group.ours || undefined}
          aria-pressed={group.ours}
          aria-label={group.ours ? words.takeBack(group.emoji) : words.reactWith(group.emoji)}
          title={group.names}
          onClick={() => handlers.react(message, group.ours ? '' : group.emoji)}
        >
          <PillContent group={group} />
        </button>
      ))}
    </span>
  )
}

const PillContent = ({ group: { emoji, count } }: { group: ReactionGroup }) => (
  <>
    {emoji}
    {count > 1 && <b>{count}</b>}
  </>
)
