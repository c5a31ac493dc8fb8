import { Button, MultiSelect, Select, Switch, Textarea } from '@mantine/core'
import { type Profile, profiles } from '@recado/contract/rules'
import { usersApi } from '@recado/contract/users'
import { canSeeAllTickets } from '@recado/contract/visibility'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts.ts'
import { useQueues } from '../../parts/use-queues.ts'
import { userTexts } from '../../parts/user-texts.ts'
import { InlineNotice } from '../../ui/inline-notice.tsx'
import { Sheet, SheetFooter } from '../../ui/sheet.tsx'
import { type BulkInviteResult, BulkInviteResults } from './bulk-invite-results.tsx'
import { bulkInviteTexts } from './bulk-invite-texts.ts'
import { parseInvitees } from './parse-invitees.ts'
import classes from './users.module.css'

/** Invites several people with the same profile and queues, and shows what became of each invitation. */
export function BulkInviteDialog({ onClose }: { onClose: () => void }) {
  const words = useTexts(bulkInviteTexts)
  const common = useTexts(userTexts)
  const queues = useQueues().data ?? []
  const [text, setText] = useState('')
  const [profile, setProfile] = useState<Profile>('user')
  const [chosenQueueIds, setChosenQueueIds] = useState<string[] | null>(null)
  // On, because somebody who hears nothing of waiting customers finds them late.
  const [seesLoose, setSeesLoose] = useState(true)
  const [results, setResults] = useState<BulkInviteResult[] | null>(null)
  const [busy, setBusy] = useState(false)
  const { invitees, rejected } = parseInvitees(text)
  // All queues are selected until the user chooses: an invited person without a queue sees no tickets.
  const queueIds = chosenQueueIds ?? queues.map((queue) => String(queue.id))
  const asksForQueues = !canSeeAllTickets({ profile })

  const send = async () => {
    setBusy(true)
    const done: BulkInviteResult[] = []
    const allTicket = asksForQueues && seesLoose ? ('enabled' as const) : ('desabled' as const)
    // The invitations are sent one after the other: each is a mail, and a refusal names its person.
    for (const invitee of invitees) {
      const body = { ...invitee, profile, allTicket, queueIds: asksForQueues ? queueIds.map(Number) : [] }
      done.push(
        await callApi(usersApi.create, { body }).then(
          ({ invitation }) => ({ ...invitee, url: invitation?.url ?? null, error: null }),
          (error: unknown) => ({ ...invitee, url: null, error }),
        ),
      )
    }
    setBusy(false)
    setResults(done)
  }
  if (results)
    return (
      <Sheet opened onClose={onClose} size={520} title={words.title}>
        <BulkInviteResults {...{ results, rejected, onClose }} />
      </Sheet>
    )
  return (
    <Sheet opened onClose={onClose} size={520} title={words.title}>
      <div className={classes.body}>
        <Textarea
          data-autofocus
          label={words.addresses}
          description={words.addressesHelp}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autosize
          minRows={4}
          maxRows={10}
          maxLength={20_000}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {rejected.length > 0 && (
          <InlineNotice kind="warn">
            {rejected.slice(0, maxShownRejections).map(({ typed, reason }) => (
              <div key={typed}>{words.rejections[reason](typed)}</div>
            ))}
            {rejected.length > maxShownRejections && words.moreRejected(rejected.length - maxShownRejections)}
          </InlineNotice>
        )}
        <Select
          label={common.profile}
          allowDeselect={false}
          data={profiles.map((value) => ({ value, label: common[value] }))}
          value={profile}
          onChange={(value) => value && setProfile(value as Profile)}
        />
        {asksForQueues && queues.length > 0 && (
          <MultiSelect
            label={common.queues}
            data={queues.map((queue) => ({ value: String(queue.id), label: queue.name }))}
            value={queueIds}
            onChange={setChosenQueueIds}
          />
        )}
        {asksForQueues && queueIds.length === 0 && (
          <InlineNotice kind="warn">
            {seesLoose ? common.seesLoose : queues.length > 0 ? common.seesNothing : common.seesNothingNoQueues}
          </InlineNotice>
        )}
        {asksForQueues && (
          <Switch
            label={common.allTicket}
            description={common.allTicketHelp}
            checked={seesLoose}
            onChange={(event) => setSeesLoose(event.currentTarget.checked)}
          />
        )}
      </div>
      <SheetFooter>
        <Button variant="default" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button loading={busy} disabled={invitees.length === 0} onClick={() => void send()}>
          {words.send(invitees.length)}
        </Button>
      </SheetFooter>
    </Sheet>
  )
}

/** Further rejected entries are only counted while the addresses are typed; the results show all of them. */
const maxShownRejections = 5
