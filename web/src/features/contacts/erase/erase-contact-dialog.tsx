import { Button, Loader, Modal, Progress, TextInput } from '@mantine/core'
import { type ContactDataSummary, contactErasureApi } from '@recado/contract/api-access/export-and-erasure'
import type { Contact } from '@recado/contract/contacts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { formatPhoneNumber } from '../../../parts/phone-number.ts'
import { downloadContactData } from './download-contact-data.ts'
import classes from './erase.module.css'
import { eraseContactTexts } from './texts.ts'

type Props = { contact: Contact; opened: boolean; onClose: () => void }

/** Polling interval while the erasure runs. */
const pollMs = 700

/** Lists the data that will be deleted and requires typing the name, because it cannot be undone. */
export function EraseContactDialog({ contact, opened, onClose }: Props) {
  const words = useTexts(eraseContactTexts)
  const name = contact.name || formatPhoneNumber(contact.number)
  const [erasureId, setErasureId] = useState<number | null>(null)
  const [typed, setTyped] = useState('')
  const [asking, setAsking] = useState(false)
  const summary = useQuery({
    queryKey: ['holdings', contact.id],
    queryFn: ({ signal }) => callApi(contactErasureApi.holdings, { params: { id: contact.id } }, { signal }),
    enabled: opened && erasureId === null,
    gcTime: 0,
  })
  const running = useQuery({
    queryKey: ['erasure', erasureId],
    queryFn: ({ signal }) => callApi(contactErasureApi.erasure, { params: { id: erasureId ?? 0 } }, { signal }),
    enabled: erasureId !== null,
    refetchInterval: ({ state }) => (state.data?.state === 'done' ? false : pollMs),
  })
  const isDone = running.data?.state === 'done'
  // The result is announced once: closing re-renders the page with a new close callback.
  const told = useRef(false)
  useEffect(() => {
    if (!isDone || told.current) return
    told.current = true
    toast.ok(words.done)
    onClose()
  }, [isDone, words.done, onClose])
  const start = async () => {
    setAsking(true)
    try {
      setErasureId((await callApi(contactErasureApi.erase, { params: { id: contact.id } })).id)
    } catch (error) {
      toast.error(error, words.failed)
    } finally {
      setAsking(false)
    }
  }
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size={460}
      title={words.title(name)}
      closeButtonProps={{ 'aria-label': words.close }}
    >
      {erasureId === null ? (
        <form
          className={classes.body}
          onSubmit={(event) => {
            event.preventDefault()
            void start()
          }}
        >
          <p>{words.intro}</p>
          {summary.isPending && <Loader size="sm" aria-label={words.counting} />}
          {summary.isError && <p role="alert">{words.failed}</p>}
          {summary.data && <DataToErase summary={summary.data} />}
          <p>{words.stays}</p>
          <Button variant="default" onClick={() => void downloadContactData(contact)}>
            {words.take}
          </Button>
          <TextInput
            label={words.type(name)}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
          <footer className={classes.foot}>
            <Button variant="default" onClick={onClose}>
              {words.cancel}
            </Button>
            <Button type="submit" color="red" loading={asking} disabled={typed.trim() !== name.trim() || !summary.data}>
              {words.verb}
            </Button>
          </footer>
        </form>
      ) : (
        <div className={classes.body} role="status">
          <p>{words.running}</p>
          <Progress
            value={running.data?.total ? (100 * running.data.done) / running.data.total : 100}
            animated
            aria-label={words.running}
          />
          <p>{words.mayClose}</p>
        </div>
      )}
    </Modal>
  )
}

function DataToErase({ summary }: { summary: ContactDataSummary }) {
  const words = useTexts(eraseContactTexts)
  const kinds = Object.keys(words.kinds) as (keyof ContactDataSummary)[]
  return (
    <ul className={classes.list}>
      {kinds.map((kind) => (
        <li key={kind}>
          <b>{formatNumber(summary[kind])}</b> {words.kinds[kind]}
        </li>
      ))}
    </ul>
  )
}
