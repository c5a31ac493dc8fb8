import { formatVCard } from '@recado/contract/text/location-and-card'
import { useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { PersonAvatar } from '../../../ui/person-avatar.tsx'
import { SheetForm } from '../../../ui/sheet.tsx'
import { ContactSearch, type SelectedContact } from '../../new-ticket/contact-search.tsx'
import { formatPhoneNumber } from '../../phone-number.ts'
import classes from './attach.module.css'
import type { LocationOrCard } from './location-or-card.ts'
import { texts } from './texts.ts'

type Props = { opened: boolean; onClose: () => void; onSend: (body: string, thing: LocationOrCard) => void }

/** Sends a contact as a card, with a search by the first letters and a preview. */
export function ContactCardDialog({ opened, onClose, onSend }: Props) {
  const words = useTexts(texts)
  const [person, setPerson] = useState<SelectedContact | null>(null)
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const submit = () => {
    setWasSubmitted(true)
    if (person?.number)
      onSend(formatVCard(person.name, person.number), { kind: 'contactMessage', contactCard: person.id })
  }
  return (
    <SheetForm
      opened={opened}
      onClose={onClose}
      size={440}
      title={words.cardTitle}
      submitLabel={words.send}
      isBusy={false}
      onSubmit={submit}
    >
      <ContactSearch contact={person} isMissing={wasSubmitted && !person} onChange={setPerson} withoutGroups />
      {person ? (
        <section aria-label={words.seen}>
          <p className={classes.label}>{words.seen}</p>
          <div className={classes.paper}>
            <div className={classes.card}>
              <PersonAvatar id={person.id} name={person.name} size={40} />
              <div>
                <b>{person.name}</b>
                <small>{person.number ? formatPhoneNumber(person.number) : words.noNumber}</small>
              </div>
            </div>
          </div>
        </section>
      ) : (
        <p className={classes.line}>{words.cardLine}</p>
      )}
    </SheetForm>
  )
}
