import { Button, Input } from '@mantine/core'
import { type ContactDetail, contactsApi } from '@recado/contract/contacts'
import type { Reply } from '@recado/contract/kit'
import { IconArrowsSplit2 } from '@tabler/icons-react'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { useCan } from '../../lib/can.tsx'
import { day, phoneNumber } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { openConfirm } from '../../ui/confirm.tsx'
import classes from './contact-form.module.css'
import { contactFormTexts } from './texts.ts'

export type Merges = Reply<typeof contactsApi.merges>

type Props = {
  merges: Merges
  /** Taking apart changes what the form shows: not over what somebody has just typed. */
  changed: () => boolean
  onSeparated: (back: ContactDetail) => void
}

/** Who else this contact was, and the way back. */
export function JoinedContacts({ merges, changed, onSeparated }: Props) {
  const words = useTexts(contactFormTexts)
  const may = useCan()('contacts-page:deleteContact')
  const [busy, setBusy] = useState(0)
  const separate = async ({ id, name }: Merges[number]) => {
    if (changed()) return toast.info(words.saveFirst)
    const question = { title: words.separateAsk(name), consequence: words.separateLine, verb: words.separateVerb }
    if (!(await openConfirm({ ...question, kind: 'plain' }))) return
    setBusy(id)
    try {
      const back = await call(contactsApi.unmerge, { params: { id } })
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
              {words.joinedWith(nameOf(merge))}
              <small>{words.joinedOn(words.why[merge.reason] ?? words.whyElse, day(merge.at))}</small>
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

const nameOf = ({ name, number }: Merges[number]) =>
  number && number !== name ? `${name} (${phoneNumber(number)})` : name
