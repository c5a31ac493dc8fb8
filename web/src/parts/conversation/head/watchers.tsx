import { useTexts } from '../../../lib/texts.ts'
import { PersonAvatar } from '../../../ui/person-avatar.tsx'
import type { Watcher } from '../messages/use-typing-and-watchers.ts'
import classes from './head.module.css'
import { headerTexts } from './header-texts.ts'

const maxShownWatchers = 3

/** Other users who have this ticket open. */
export function Watchers({ people }: { people: Watcher[] }) {
  const words = useTexts(headerTexts)
  if (people.length === 0) return null
  return (
    <span className={classes.others}>
      {people.slice(0, maxShownWatchers).map(({ id, name, typing }) => {
        const what = typing ? words.alsoWrites(name) : words.alsoHere(name)
        return (
          <span
            key={id}
            className={classes.other}
            role="img"
            aria-label={what}
            title={what}
            data-typing={typing || undefined}
          >
            <PersonAvatar id={id} name={name} size={24} />
          </span>
        )
      })}
    </span>
  )
}

/** Shows beside the composer who else is typing, to avoid two answers to the same message. */
export function OtherAgentTyping({ people }: { people: Watcher[] }) {
  const words = useTexts(headerTexts)
  const writers = people.filter((person) => person.typing)
  return (
    <div role="status" className={writers.length > 0 ? classes.writes : undefined}>
      {writers.map(({ name }) => words.otherWrites(name)).join(' · ')}
    </div>
  )
}
