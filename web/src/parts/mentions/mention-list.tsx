import { defineTexts, useTexts } from '../../lib/texts.ts'
import { PersonAvatar } from '../../ui/person-avatar.tsx'
import type { MentionPerson } from './mention-text.ts'
import classes from './mentions.module.css'
import type { MentionListState as List } from './use-mentions.ts'

const texts = defineTexts({
  es: { people: 'A quién mencionar', byNote: 'lo verá por esta nota' },
  pt: { people: 'Quem mencionar', byNote: 'verá por causa desta nota' },
  en: { people: 'Who to mention', byNote: 'will see it through this note' },
})

type Props = { id: string; list: List; onPick: (person: MentionPerson) => void }

export const mentionOptionId = (list: string, person: MentionPerson | undefined): string | undefined =>
  person && `${list}-${person.id}`

/** The list of suggestions. The focus stays in the text; the pointer can select too. */
export function MentionList({ id, list, onPick }: Props) {
  const words = useTexts(texts)
  return (
    <div id={id} role="listbox" aria-label={words.people} className={classes.list}>
      {list.people.map((person, i) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text, which keeps the focus
        // biome-ignore lint/a11y/useFocusableInteractive: see above
        <div
          key={person.id}
          id={mentionOptionId(id, person)}
          role="option"
          aria-selected={i === list.activeIndex}
          className={classes.option}
          onPointerMove={() => i !== list.activeIndex && list.setActiveIndex(i)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(person)}
        >
          <PersonAvatar id={person.id} name={person.name} size={24} />
          <span>{person.name}</span>
          {person.byNote && <span className={classes.byNote}>{words.byNote}</span>}
        </div>
      ))}
    </div>
  )
}
