import { Button, TextInput } from '@mantine/core'
import { invitationValidDays } from '@recado/contract/users'
import { IconCopy } from '@tabler/icons-react'
import { copyText } from '../lib/copy.ts'
import { useTexts } from '../lib/texts.ts'
import { toast } from '../lib/toast.ts'
import { Sheet, SheetFooter } from '../ui/sheet.tsx'
import classes from './invitation-link-dialog.module.css'
import { userTexts } from './user-texts.ts'

type Props = { name: string; url: string; opened: boolean; onClose: () => void }

/** Shows the invitation link when no mail is sent. */
export function InvitationLinkDialog({ name, url, opened, onClose }: Props) {
  const words = useTexts(userTexts)
  const copy = ({ currentTarget }: { currentTarget: HTMLElement }) =>
    void copyText(url, currentTarget).then((done) => done && toast.ok(words.copied))
  return (
    <Sheet opened={opened} onClose={onClose} size={480} title={words.handOver(name)}>
      <div className={classes.body}>
        <p>{words.handOverLine(invitationValidDays)}</p>
        <TextInput label={words.link} readOnly value={url} onFocus={(event) => event.currentTarget.select()} />
      </div>
      <SheetFooter>
        <Button variant="default" onClick={onClose}>
          {words.done}
        </Button>
        <Button leftSection={<IconCopy size={17} stroke={1.75} />} onClick={copy} data-autofocus>
          {words.copyLink}
        </Button>
      </SheetFooter>
    </Sheet>
  )
}
