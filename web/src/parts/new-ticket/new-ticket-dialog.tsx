import { Button, Modal, Select } from '@mantine/core'
import type { Contact } from '@recado/contract/contacts'
import type { Reply } from '@recado/contract/kit'
import { ticketsApi } from '@recado/contract/tickets'
import { lazy, Suspense, useState } from 'react'
import { call } from '../../lib/api.ts'
import { useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { FieldError } from '../../ui/text-field.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { type Holder, holderIn } from '../ticket-holder.ts'
import { useLines } from '../use-lines.ts'
import { useQueues } from '../use-queues.ts'
import { ContactSearch, type Person } from './contact-search.tsx'
import { HeldNotice } from './held-notice.tsx'
import classes from './new-ticket.module.css'
import { newTicketTexts } from './texts.ts'

const ContactDialog = lazy(() =>
  import('../contact-form/contact-dialog.tsx').then((module) => ({ default: module.ContactDialog })),
)

export type NewTicketProps = {
  opened: boolean
  onClose: () => void
  /** Whom to write to, where that is already known. */
  contact?: Person | null | undefined
  onCreated: (ticket: Reply<typeof ticketsApi.create>) => void
  /** The contact has a ticket already, and this person may see it. */
  onOpen: (uuid: string) => void
}

/** A conversation that we begin. Give it a new `key` each time it is opened. */
export function NewTicketDialog({ opened, onClose, contact = null, onCreated, onOpen }: NewTicketProps) {
  const words = useTexts(newTicketTexts)
  const phone = usePhone()
  const [person, setPerson] = useState<Person | null>(contact)
  const [adding, setAdding] = useState<{ name: string; number: string } | null>(null)
  const form = useNewTicket({ person, onClose, onCreated })
  const take = ({ id, name, number }: Contact) => setPerson({ id, name, number })
  const openHeld = (uuid: string) => {
    onClose()
    onOpen(uuid)
  }
  const shared = { placeholder: words.choose, searchable: true, nothingFoundMessage: words.nobody }
  return (
    <>
      <Modal
        opened={opened}
        onClose={onClose}
        size={440}
        fullScreen={phone}
        title={words.title}
        classNames={{ content: classes.content ?? '', body: classes.sheet ?? '' }}
        closeButtonProps={{ 'aria-label': words.close }}
      >
        <form
          className={classes.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void form.create()
          }}
        >
          <div className={classes.fields}>
            <ContactSearch
              person={person}
              missing={form.tried && !person}
              onChange={setPerson}
              onAdd={(name, number) => setAdding({ name, number })}
            />
            <Select
              {...shared}
              label={words.queue}
              required={!form.isAdmin}
              placeholder={form.isAdmin ? words.noQueue : words.choose}
              clearable={form.isAdmin}
              data={form.queues.map(({ id, name }) => ({ value: String(id), label: name }))}
              value={form.queueId}
              onChange={form.setQueueId}
              error={form.queueProblem && <FieldError>{form.queueProblem}</FieldError>}
            />
            {form.lines.length > 1 && (
              <Select
                {...shared}
                label={words.line}
                placeholder={words.mainLine}
                clearable
                data={form.lines.map(({ id, name }) => ({ value: String(id), label: name }))}
                value={form.lineId}
                onChange={form.setLineId}
              />
            )}
            {form.held && <HeldNotice holder={form.held} onOpen={openHeld} />}
          </div>
          <footer className={classes.foot}>
            <Button variant="default" onClick={onClose}>
              {words.cancel}
            </Button>
            <Button type="submit" loading={form.busy}>
              {words.create}
            </Button>
          </footer>
        </form>
      </Modal>
      {adding && (
        <Suspense fallback={null}>
          <ContactDialog
            opened
            initial={adding}
            onClose={() => setAdding(null)}
            onSaved={(saved) => {
              take(saved)
              setAdding(null)
            }}
            onExisting={take}
          />
        </Suspense>
      )}
    </>
  )
}

type Given = Pick<NewTicketProps, 'onClose' | 'onCreated'> & { person: Person | null }

function useNewTicket({ person, onClose, onCreated }: Given) {
  const words = useTexts(newTicketTexts)
  const { user } = useSession()
  const isAdmin = user?.profile === 'admin'
  const all = useQueues(isAdmin)
  const lines = useLines().data ?? []
  const queues = isAdmin ? (all.data ?? []) : (user?.queues ?? [])
  const only = !isAdmin && queues.length === 1 ? String(queues[0]?.id) : null
  const [chosen, setQueueId] = useState<string | null>(only)
  const [lineId, setLineId] = useState<string | null>(user?.whatsappId ? String(user.whatsappId) : null)
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<{ holder: Holder; personId: number; lineId: string | null } | null>(null)

  const missing = tried && !isAdmin && !chosen
  const queueProblem = all.isError
    ? words.queueFailed
    : missing && (queues.length === 0 ? words.noQueues : words.queueMissing)

  async function create(): Promise<void> {
    setTried(true)
    if (!person || (!isAdmin && !chosen) || busy) return
    setBusy(true)
    try {
      const body = {
        contactId: person.id,
        queueId: chosen ? Number(chosen) : null,
        whatsappId: lineId ? Number(lineId) : null,
        userId: user?.id ?? null,
        status: 'open' as const,
      }
      const ticket = await call(ticketsApi.create, { body })
      onClose()
      onCreated(ticket)
    } catch (error) {
      const holder = holderIn(error)
      if (holder) setRefused({ holder, personId: person.id, lineId })
      else toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  // The refusal is about that contact on that line; another choice is another question.
  const held = refused && refused.personId === person?.id && refused.lineId === lineId ? refused.holder : null
  return {
    isAdmin,
    queues,
    queueId: chosen,
    setQueueId,
    queueProblem,
    lines,
    lineId,
    setLineId,
    tried,
    busy,
    held,
    create,
  }
}
