import { Button, Modal, TextInput } from '@mantine/core'
import { InlineNotice } from '../../../ui/inline-notice.tsx'
import { SheetFooter } from '../../../ui/sheet.tsx'
import { useDelayedOpen } from '../../../ui/use-delayed-open.ts'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import { CopyButton } from '../code/code-block.tsx'
import classes from '../keys-tab.module.css'

type Props = { title: string; line: string; secret: string; closeLabel: string; onClose: () => void }

/** A secret shown only once. Only an explicit confirmation closes the dialog, not Escape or an outside click. */
export function SecretShownOnce({ title, line, secret, closeLabel, onClose }: Props) {
  const opened = useDelayedOpen(true)
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size={520}
      fullScreen={useIsPhone()}
      title={title}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <div className={classes.once}>
        <InlineNotice kind="warn">{line}</InlineNotice>
        <div className={classes.secret}>
          <TextInput
            aria-label={title}
            readOnly
            value={secret}
            data-autofocus
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton text={secret} />
        </div>
      </div>
      <SheetFooter>
        <Button onClick={onClose}>{closeLabel}</Button>
      </SheetFooter>
    </Modal>
  )
}
