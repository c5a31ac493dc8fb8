import { Button, Modal, Radio, Skeleton } from '@mantine/core'
import { contactDuplicatesApi, type JoinSide } from '@recado/contract/contact-duplicates/contact-duplicates'
import { contactsApi } from '@recado/contract/contacts'
import type { Reply } from '@recado/contract/endpoint'
import { IconArrowBackUp, IconArrowMerge, IconLock } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { formatDay } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { ContactAvatar } from '../contact-avatar.tsx'
import { ContactSearch } from '../new-ticket/contact-search.tsx'
import { formatPhoneNumber } from '../phone-number.ts'
import { duplicatesKey } from './duplicates-key.ts'
import classes from './join-contacts.module.css'
import { type JoinRow, listFieldRows, makeRow } from './join-rows.ts'
import { joinTexts } from './texts.ts'

type Comparison = Reply<typeof contactDuplicatesApi.compare>
type Props = {
  opened: boolean
  onClose: () => void
  /** The contact that stays. */
  contactId: number
  /** The contact that is joined into it; null: the user chooses one. */
  otherId: number | null
}

/** Two contacts side by side, before they are joined. */
export function JoinDialog({ opened, onClose, contactId, otherId }: Props) {
  const words = useTexts(joinTexts)
  const sheet = useIsPhone()
  const [chosenId, setChosenId] = useState<number | null>(null)
  const other = otherId ?? chosenId
  const query = useQuery({
    queryKey: ['contact-compare', contactId, other],
    queryFn: ({ signal }) =>
      callApi(
        contactDuplicatesApi.compare,
        { params: { id: contactId }, query: { otherId: other as number } },
        { signal },
      ),
    enabled: opened && other !== null,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size={840}
      fullScreen={sheet}
      title={words.title}
      closeButtonProps={{ 'aria-label': words.close }}
    >
      {otherId === null && !query.data && (
        <div className={classes.body}>
          <p className={classes.quiet}>{words.choose}</p>
          <ContactSearch
            contact={null}
            isMissing={false}
            withoutGroups
            onChange={(contact) => contact && contact.id !== contactId && setChosenId(contact.id)}
          />
        </div>
      )}
      {query.isLoading && (
        <div className={classes.body} role="status" aria-label={words.loading}>
          {[0, 1, 2, 3].map((i) => (
            <Skeleton key={i} height={36} />
          ))}
        </div>
      )}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && <CompareForm comparison={query.data} onClose={onClose} />}
    </Modal>
  )
}

function CompareForm({ comparison, onClose }: { comparison: Comparison; onClose: () => void }) {
  const words = useTexts(joinTexts)
  const { kept, other, closedTickets } = comparison
  const [fromOther, setFromOther] = useState<ReadonlySet<string>>(new Set())
  const { run, busy } = useJoinActions(comparison, onClose)
  const rows = [
    makeRow('name', words.name, kept.contact.name, other.contact.name),
    makeRow('email', words.email, kept.contact.email, other.contact.email),
    ...listFieldRows(kept, other),
  ].filter((row) => row.kept || row.other)
  const choose = (key: string, isOther: boolean) =>
    setFromOther((before) => {
      const next = new Set(before)
      if (isOther) next.add(key)
      else next.delete(key)
      return next
    })
  const join = () => {
    const chosen = rows.filter(({ key }) => fromOther.has(key)).map(({ choice }) => choice)
    return run('join', {
      otherName: chosen.some((choice) => choice?.kind === 'name'),
      otherEmail: chosen.some((choice) => choice?.kind === 'email'),
      fieldIds: chosen.flatMap((choice) => (choice?.kind === 'field' ? choice.ids : [])),
    })
  }
  const numbers = new Set([...kept.numbers, ...other.numbers])
  return (
    <>
      <div className={classes.body}>
        <div className={classes.people}>
          <span />
          <Person side={kept} />
          <Person side={other} />
        </div>
        {rows.map((row) => (
          <CompareRow
            key={row.key}
            row={row}
            isOther={fromOther.has(row.key)}
            onChoose={(isOther) => choose(row.key, isOther)}
          />
        ))}
        <div className={classes.row}>
          <span className={classes.label}>{words.number}</span>
          <NumbersCell numbers={kept.numbers} />
          <NumbersCell numbers={other.numbers} />
        </div>
        {(kept.isOptedOut || other.isOptedOut) && (
          <>
            <div className={classes.row}>
              <span className={classes.label}>{words.campaigns}</span>
              <span className={classes.cell}>{kept.isOptedOut ? words.optedOut : words.accepts}</span>
              <span className={classes.cell}>{other.isOptedOut ? words.optedOut : words.accepts}</span>
            </div>
            <p className={classes.warn}>
              <IconLock size={15} stroke={1.75} aria-hidden="true" />
              {words.optOutWins}
            </p>
          </>
        )}
        <p className={classes.result}>
          <IconArrowMerge size={18} stroke={1.75} aria-hidden="true" />
          <span>
            <b>{words.result(kept.ticketCount + other.ticketCount, numbers.size)}</b>
            {numbers.size > 1 && ` ${words.answers}`}
            {closedTickets > 0 && ` ${words.closes(closedTickets)}`}
          </span>
        </p>
      </div>
      <footer className={classes.foot}>
        <span className={classes.quiet}>
          <IconArrowBackUp size={15} stroke={1.75} aria-hidden="true" />
          {words.undoLine}
        </span>
        <Button
          variant="default"
          loading={busy === 'dismiss'}
          disabled={busy === 'join'}
          onClick={() => run('dismiss')}
        >
          {words.different}
        </Button>
        <Button loading={busy === 'join'} disabled={busy === 'dismiss'} onClick={join}>
          {words.join}
        </Button>
      </footer>
    </>
  )
}

type Choices = { otherName: boolean; otherEmail: boolean; fieldIds: number[] }

/** Joins the contacts, or remembers that they are different people. A toast can separate them again. */
function useJoinActions({ kept, other }: Comparison, onClose: () => void) {
  const words = useTexts(joinTexts)
  const client = useQueryClient()
  const [busy, setBusy] = useState<'join' | 'dismiss' | null>(null)
  const params = { id: kept.contact.id }
  const otherId = other.contact.id
  const separate = async (mergeId: number) => {
    try {
      await callApi(contactsApi.unmerge, { params: { id: mergeId } })
      toast.ok(words.separated)
    } catch (error) {
      toast.error(error)
    }
  }
  const joinBoth = async (choices: Choices) => {
    const { contact, mergeId } = await callApi(contactDuplicatesApi.join, { params, body: { otherId, ...choices } })
    const action = { label: words.separate, run: () => void separate(mergeId) }
    toast.ok(words.joined, contact.name, { action, lasts: 20_000 })
  }
  const dismiss = async () => {
    await callApi(contactDuplicatesApi.dismiss, { params, body: { otherId } })
    toast.ok(words.dismissed)
  }
  const run = async (what: 'join' | 'dismiss', choices?: Choices): Promise<void> => {
    setBusy(what)
    try {
      await (choices ? joinBoth(choices) : dismiss())
      await client.invalidateQueries({ queryKey: duplicatesKey })
      onClose()
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(null)
    }
  }
  return { run, busy }
}

function Person({ side: { contact, ticketCount } }: { side: JoinSide }) {
  const words = useTexts(joinTexts)
  return (
    <div className={classes.person}>
      <ContactAvatar contact={contact} size={40} />
      <span>
        <b>{contact.name}</b>
        <small>{words.tickets(ticketCount, formatDay(contact.createdAt))}</small>
      </span>
    </div>
  )
}

function NumbersCell({ numbers }: { numbers: string[] }) {
  const words = useTexts(joinTexts)
  return (
    <span className={classes.cell}>
      {numbers.length ? numbers.map((number) => <span key={number}>{formatPhoneNumber(number)}</span>) : words.noNumber}
    </span>
  )
}

type CompareRowProps = { row: JoinRow; isOther: boolean; onChoose: (isOther: boolean) => void }
function CompareRow({ row, isOther, onChoose }: CompareRowProps) {
  const words = useTexts(joinTexts)
  if (row.choice)
    return (
      <Radio.Group
        className={classes.choice}
        label={row.label}
        value={isOther ? 'other' : 'kept'}
        onChange={(value) => onChoose(value === 'other')}
        classNames={{ label: classes.label ?? '' }}
      >
        <Radio
          className={classes.option}
          wrapperProps={{ 'data-chosen': !isOther || undefined }}
          value="kept"
          label={row.kept}
        />
        <Radio
          className={classes.option}
          wrapperProps={{ 'data-chosen': isOther || undefined }}
          value="other"
          label={row.other}
        />
      </Radio.Group>
    )
  if (row.kept === row.other)
    return (
      <div className={classes.row}>
        <span className={classes.label}>{row.label}</span>
        <span className={classes.both}>
          {row.kept} <small>{words.same}</small>
        </span>
      </div>
    )
  return (
    <div className={classes.row}>
      <span className={classes.label}>{row.label}</span>
      {[row.kept, row.other].map((value, i) => (
        <span key={i === 0 ? 'kept' : 'other'} className={value ? classes.cell : classes.none}>
          {value || words.empty}
          {value && i === 1 && <small>{words.adds}</small>}
        </span>
      ))}
    </div>
  )
}
