import { writtenCard } from '@recado/contract/words/written'
import { useState } from 'react'
import { phoneNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { PersonAvatar } from '../../../ui/person-avatar.tsx'
import { SheetForm } from '../../../ui/sheet.tsx'
import { ContactSearch, type Person } from '../../new-ticket/contact-search.tsx'
import classes from './attach.module.css'
import { texts } from './texts.ts'
import type { Thing } from './thing.ts'

type Props = { opened: boolean; onClose: () => void; onSend: (body: string, thing: Thing) => void }

/** One of our contacts, found by the first letters, as the customer will get them. */
export function CardDialog({ opened, onClose, onSend }: Props) {
  const words = useTexts(texts)
  const [person, setPerson] = useState<Person | null>(null)
  const [tried, setTried] = useState(false)
  const submit = () => {
    setTried(true)
    if (person?.number)
      onSend(writtenCard(person.name, person.number), { kind: 'contactMessage', contactCard: person.id })
  }
  return (
    <SheetForm
      opened={opened}
      onClose={onClose}
      size={440}
      title={words.cardTitle}
      verb={words.send}
      busy={false}
      onSubmit={submit}
    >
      <ContactSearch person={person} missing={tried && !person} onChange={setPerson} peopleOnly />
      {person ? (
        <section aria-label={words.seen}>
          <p className={classes.label}>{words.seen}</p>
          <div className={classes.paper}>
            <div className={classes.card}>
              <PersonAvatar id={person.id} name={person.name} size={40} />
              <div>
                <b>{person.name}</b>
                <small>{person.number ? phoneNumber(person.number) : words.noNumber}</small>
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
