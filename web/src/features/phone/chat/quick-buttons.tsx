import { Button } from '@mantine/core'
import type { SandboxCustomer } from '@recado/contract/sandbox'
import { IconMapPin, IconMicrophone, IconPhone, IconPhoto, IconUser } from '@tabler/icons-react'
import { useTexts } from '../../../lib/texts.ts'
import classes from '../handset.module.css'
import { texts } from '../texts.ts'
import { useAttachDialogs } from './use-attach-dialogs.tsx'
import { useFileChooser } from './use-file-chooser.tsx'
import type { PhoneAction } from './use-send-as-customer.ts'

type Props = { customers: SandboxCustomer[]; canCall: boolean; write: (deed: PhoneAction, files?: File[]) => void }

/** Common attachments, one click away. */
export function QuickButtons({ customers: people, canCall: mayCall, write }: Props) {
  const words = useTexts(texts)
  const choose = useFileChooser()
  const dialogs = useAttachDialogs(people, write)
  const each = (files: File[]) => {
    for (const file of files) write({}, [file])
  }
  const icon = { size: 15, stroke: 1.75 }
  const look = { variant: 'default', size: 'xs' } as const
  return (
    <div className={classes.under}>
      <Button {...look} leftSection={<IconPhoto {...icon} />} onClick={() => choose.open('image/*', each)}>
        {words.photo}
      </Button>
      <Button {...look} leftSection={<IconMicrophone {...icon} />} onClick={() => choose.open('audio/*', each)}>
        {words.audio}
      </Button>
      <Button {...look} leftSection={<IconMapPin {...icon} />} onClick={dialogs.openPlace}>
        {words.location}
      </Button>
      <Button {...look} leftSection={<IconUser {...icon} />} onClick={dialogs.openCard}>
        {words.contact}
      </Button>
      {mayCall && (
        <Button {...look} leftSection={<IconPhone {...icon} />} onClick={() => write({ kind: 'call' })}>
          {words.call}
        </Button>
      )}
      {choose.element}
      {dialogs.element}
    </div>
  )
}
