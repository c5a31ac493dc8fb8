import { Button, Input } from '@mantine/core'
import { type ContactDetail, contactsApi } from '@recado/contract/contacts'
import type { Reply } from '@recado/contract/endpoint'
import { IconArrowsSplit2 } from '@tabler/icons-react'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useCan } from '../../lib/can.tsx'
import { formatDay } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { openConfirm } from '../../ui/confirm.tsx'
import { formatPhoneNumber } from '../phone-number.ts'
import classes from './contact-form.module.css'
import { contactFormTexts } from './texts.ts'

export type ContactMerges = Reply<typeof contactsApi.merges>

type Props = {
  merges: ContactMerges
  /** Separating contacts changes the form's content, so it is not allowed over unsaved changes. */
  hasChanges: () => boolean
  onSeparated: (back: ContactDetail) => void
}

/** The contacts merged into this contact, with a button to separate them. */
export function MergedContacts({ merges, hasChanges, onSeparated }: Props) {
  const words = useTexts(contactFormTexts)
  const may = useCan()('contacts-page:deleteContact')
  const [busy, setBusy] = useState(0)
  const separate = async ({ id, name }: ContactMerges[number]) => {
    if (hasChanges()) return toast.info(words.saveFirst)
    const question = { title: words.separateAsk(name), consequence: words.separateLine, verb: words.separateVerb }
    if (!(await openConfirm({ ...question, kind: 'plain' }))) return
    setBusy(id)
    try {
      const back = await callApi(contactsApi.unmerge, { params: { id } })
      toast.ok(words.separated, back.name)
      onSeparated(back)
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(0)
    }
  }
  return (
    <div>
      <Input.Label labelElement="div">{words.joined}</Input.Label>
      <ul className={classes.joined} aria-label={words.joined}>
        {merges.map((merge) => (
          <li key={merge.id}>
            <span className={classes.joinedWords}>
              {words.joinedWith(formatMergedName(merge))}
              <small>{words.joinedOn(words.why[merge.reason] ?? words.whyElse, formatDay(merge.at))}</small>
            </span>
            {may && (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconArrowsSplit2 size={15} stroke={2} />}
                loading={busy === merge.id}
                onClick={() => void separate(merge)}
              >
                {words.separate}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

const formatMergedName = ({ name, number }: ContactMerges[number]) =>
  number && number !== name ? `${name} (${formatPhoneNumber(number)})` : name
