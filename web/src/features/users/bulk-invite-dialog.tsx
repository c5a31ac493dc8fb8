import { Button, MultiSelect, Select, Textarea, TextInput } from '@mantine/core'
import { type Profile, profiles } from '@recado/contract/rules'
import { usersApi } from '@recado/contract/users'
import { canSeeAllTickets } from '@recado/contract/visibility'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { copyText } from '../../lib/copy.ts'
import { errorText } from '../../lib/errors.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { useQueues } from '../../parts/use-queues.ts'
import { userTexts } from '../../parts/user-texts.ts'
import { InlineNotice } from '../../ui/inline-notice.tsx'
import { Sheet, SheetFooter } from '../../ui/sheet.tsx'
import { bulkInviteTexts } from './bulk-invite-texts.ts'
import { type Invitee, parseInvitees } from './parse-invitees.ts'
import classes from './users.module.css'

/** `url`: the link to pass on if the server sends no mail. */
type Result = Invitee & { url: string | null; error: unknown }

/** Invites several people with the same profile and queues, and shows what became of each invitation. */
export function BulkInviteDialog({ onClose }: { onClose: () => void }) {
  const words = useTexts(bulkInviteTexts)
  const common = useTexts(userTexts)
  const queues = useQueues().data ?? []
  const [text, setText] = useState('')
  const [profile, setProfile] = useState<Profile>('user')
  const [chosenQueueIds, setChosenQueueIds] = useState<string[] | null>(null)
  const [results, setResults] = useState<Result[] | null>(null)
  const [busy, setBusy] = useState(false)
  const { invitees, unreadable } = parseInvitees(text)
  // All queues are selected until the user chooses: an invited person without a queue sees no tickets.
  const queueIds = chosenQueueIds ?? queues.map((queue) => String(queue.id))
  const asksForQueues = !canSeeAllTickets({ profile })

  const send = async () => {
    setBusy(true)
    const done: Result[] = []
    // The invitations are sent one after the other: each is a mail, and a refusal names its person.
    for (const invitee of invitees) {
      const body = { ...invitee, profile, queueIds: asksForQueues ? queueIds.map(Number) : [] }
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
  return (
    <Sheet opened onClose={onClose} size={520} title={words.title}>
      {results ? (
        <div className={classes.body}>
          <ul className={classes.results}>
            {results.map((result) => (
              <InvitationResult key={result.email} result={result} />
            ))}
          </ul>
        </div>
      ) : (
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
          {unreadable.length > 0 && <InlineNotice kind="warn">{words.unreadable(unreadable.slice(0, 5))}</InlineNotice>}
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
              {queues.length > 0 ? common.seesNothing : common.seesNothingNoQueues}
            </InlineNotice>
          )}
        </div>
      )}
      <SheetFooter>
        {!results && (
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
        )}
        {results ? (
          <Button onClick={onClose}>{words.done}</Button>
        ) : (
          <Button loading={busy} disabled={invitees.length === 0} onClick={() => void send()}>
            {words.send(invitees.length)}
          </Button>
        )}
      </SheetFooter>
    </Sheet>
  )
}

function InvitationResult({ result: { email, url, error } }: { result: Result }) {
  const words = useTexts(bulkInviteTexts)
  const common = useTexts(userTexts)
  return (
    <li className={classes.result}>
      <span className={classes.address}>{email}</span>
      {error !== null ? (
        <span className={classes.problem}>{errorText(error)}</span>
      ) : url === null ? (
        <span>{words.sent}</span>
      ) : (
        <span className={classes.handed}>
          <TextInput readOnly aria-label={`${common.link}: ${email}`} value={url} />
          <Button
            variant="default"
            onClick={({ currentTarget }) =>
              void copyText(url, currentTarget).then((copied) => copied && toast.ok(common.copied))
            }
          >
            {words.copy}
          </Button>
        </span>
      )}
    </li>
  )
}
