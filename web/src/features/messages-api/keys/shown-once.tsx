import { Button, Modal, TextInput } from '@mantine/core'
import { Notice } from '../../../ui/notice.tsx'
import { SheetFoot } from '../../../ui/sheet.tsx'
import { useOpening } from '../../../ui/use-opening.ts'
import { usePhone } from '../../../ui/use-phone.ts'
import { Copy } from '../code/code.tsx'
import classes from '../keys-tab.module.css'

type Props = { title: string; line: string; secret: string; verb: string; onClose: () => void }

/** What is shown this once. No stray key or click closes it: only who says that they have it. */
export function ShownOnce({ title, line, secret, verb, onClose }: Props) {
  const opened = useOpening(true)
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size={520}
      fullScreen={usePhone()}
      title={title}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <div className={classes.once}>
        <Notice kind="warn">{line}</Notice>
        <div className={classes.secret}>
          <TextInput
            aria-label={title}
            readOnly
            value={secret}
            data-autofocus
            onFocus={(event) => event.currentTarget.select()}
          />
          <Copy text={secret} />
        </div>
      </div>
      <SheetFoot>
        <Button onClick={onClose}>{verb}</Button>
      </SheetFoot>
    </Modal>
  )
}
