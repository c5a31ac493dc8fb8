import { Button } from '@mantine/core'
import { contactDuplicatesApi, type DuplicatePair } from '@recado/contract/contact-duplicates/contact-duplicates'
import { IconUsers } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { formatPhoneNumber } from '../phone-number.ts'
import { duplicatesKey } from './duplicates-key.ts'
import classes from './join-contacts.module.css'
import { joinTexts } from './texts.ts'

const JoinDialog = lazy(() => import('./join-dialog.tsx').then((module) => ({ default: module.JoinDialog })))

/** Proposes another contact that may be the same person, with the evidence. Renders nothing if there is none. */
export function LikelyDuplicateCard({ contactId }: { contactId: number }) {
  const { data } = useQuery({
    queryKey: [...duplicatesKey, contactId],
    queryFn: ({ signal }) => callApi(contactDuplicatesApi.ofContact, { params: { id: contactId } }, { signal }),
    retry: false,
  })
  const pair = data?.pairs[0]
  return pair ? <PairCard key={`${pair.kept.id} ${pair.other.id}`} pair={pair} contactId={contactId} /> : null
}

function PairCard({ pair, contactId }: { pair: DuplicatePair; contactId: number }) {
  const words = useTexts(joinTexts)
  const client = useQueryClient()
  const [dialog, setDialog] = useState({ opened: false, used: 0 })
  const [busy, setBusy] = useState(false)
  const proposed = pair.kept.id === contactId ? pair.other : pair.kept
  const dismiss = async () => {
    setBusy(true)
    try {
      const body = { otherId: pair.other.id }
      await callApi(contactDuplicatesApi.dismiss, { params: { id: pair.kept.id }, body })
      toast.ok(words.dismissed)
      await client.invalidateQueries({ queryKey: duplicatesKey })
    } catch (error) {
      toast.error(error)
      setBusy(false)
    }
  }
  return (
    <section className={classes.card} aria-label={words.card}>
      <IconUsers size={18} stroke={1.75} aria-hidden="true" />
      <div>
        <b>{words.card}</b>
        <p>
          {[
            `«${proposed.name}»`,
            proposed.number && formatPhoneNumber(proposed.number),
            ...pair.matches.map(({ kind, field }) => words.evidence(kind, field)),
          ]
            .filter(Boolean)
            .join(', ')}
        </p>
        <span className={classes.deeds}>
          <Button
            size="xs"
            variant="default"
            onClick={() => setDialog(({ used }) => ({ opened: true, used: used + 1 }))}
          >
            {words.compare}
          </Button>
          <Button size="xs" variant="subtle" color="gray" loading={busy} onClick={() => void dismiss()}>
            {words.isNot}
          </Button>
        </span>
      </div>
      {dialog.used > 0 && (
        <Suspense fallback={null}>
          <JoinDialog
            key={dialog.used}
            opened={dialog.opened}
            onClose={() => setDialog((before) => ({ ...before, opened: false }))}
            contactId={pair.kept.id}
            otherId={pair.other.id}
          />
        </Suspense>
      )}
    </section>
  )
}
