import { Modal } from '@mantine/core'
import type { LivePerson } from '@recado/contract/routing/live'
import { useTexts } from '../../lib/texts.ts'
import { PersonAvatar } from '../../ui/person-avatar.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import classes from './live.module.css'
import { isAway } from './person-state.ts'
import { liveTexts } from './texts.ts'
import { describeGiving } from './use-carry-ticket.ts'
import type { HeldTicket } from './use-give-ticket.ts'

type Props = {
  held: HeldTicket
  people: LivePerson[]
  onChoose: (person: LivePerson) => void
  onClose: () => void
}

/** The list of people to whom a ticket can be given, for phones and for the keyboard. */
export function MoveDialog({ held, people, onChoose, onClose }: Props) {
  const words = useTexts(liveTexts)
  const phone = useIsPhone()
  return (
    <Modal
      opened
      onClose={onClose}
      fullScreen={phone}
      title={words.moveTitle(held.ticket.contact.name)}
      closeButtonProps={{ 'aria-label': words.close }}
    >
      <ul className={classes.choices}>
        {people
          .filter(({ id }) => id !== held.holderId)
          .map((person) => (
            <li key={person.id}>
              <button
                type="button"
                className={classes.choice}
                disabled={isAway(person)}
                onClick={() => {
                  onClose()
                  onChoose(person)
                }}
              >
                <PersonAvatar
                  id={person.id}
                  name={person.name}
                  size={32}
                  online={person.online}
                  availability={person.availability}
                />
                <span className={classes.laneWords}>
                  <span className={classes.name}>{person.name}</span>
                  <span className={classes.laneState}>{describeGiving(person, words)}</span>
                </span>
              </button>
            </li>
          ))}
      </ul>
    </Modal>
  )
}
