import { Button } from '@mantine/core'
import type { SandboxCustomer } from '@recado/contract/sandbox'
import { IconMapPin, IconMicrophone, IconPhone, IconPhoto, IconUser } from '@tabler/icons-react'
import { useTexts } from '../../../lib/texts.ts'
import classes from '../handset.module.css'
import { texts } from '../texts.ts'
import { useAttachDialogs } from './use-attach-dialogs.tsx'
import { useFileChooser } from './use-file-chooser.tsx'
import type { PhoneAction } from './use-send-as-customer.ts'

type Props = { customers: SandboxCustomer[]; canCall: boolean; write: (action: PhoneAction, files?: File[]) => void }

/** Common attachments, one click away. */
export function QuickButtons({ customers, canCall, write }: Props) {
  const words = useTexts(texts)
  const choose = useFileChooser()
  const dialogs = useAttachDialogs(customers, write)
  const sendEach = (files: File[]) => {
    for (const file of files) write({}, [file])
  }
  const icon = { size: 15, stroke: 1.75 }
  const buttonProps = { variant: 'default', size: 'xs' } as const
  return (
    <div className={classes.under}>
      <Button {...buttonProps} leftSection={<IconPhoto {...icon} />} onClick={() => choose.open('image/*', sendEach)}>
        {words.photo}
      </Button>
      <Button
        {...buttonProps}
        leftSection={<IconMicrophone {...icon} />}
        onClick={() => choose.open('audio/*', sendEach)}
      >
        {words.audio}
      </Button>
      <Button {...buttonProps} leftSection={<IconMapPin {...icon} />} onClick={dialogs.openPlace}>
        {words.location}
      </Button>
      <Button {...buttonProps} leftSection={<IconUser {...icon} />} onClick={dialogs.openCard}>
        {words.contact}
      </Button>
      {canCall && (
        <Button {...buttonProps} leftSection={<IconPhone {...icon} />} onClick={() => write({ kind: 'call' })}>
          {words.call}
        </Button>
      )}
      {choose.element}
      {dialogs.element}
    </div>
  )
}
