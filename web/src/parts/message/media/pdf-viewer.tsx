import { ActionIcon, Modal } from '@mantine/core'
import { IconDownload, IconX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { texts } from '../texts.ts'
import classes from './lightbox.module.css'

type Props = { name: string; src: string; onClose: () => void }

/** A PDF over the page, in the browser's viewer. */
export function PdfViewer({ name, src, onClose }: Props) {
  const words = useTexts(texts)
  const isOne = useIsPdf(src)
  return (
    <Modal.Root opened fullScreen onClose={onClose} transitionProps={{ duration: 0 }}>
      <Modal.Content aria-label={name}>
        <div className={classes.root}>
          <div className={classes.bar}>
            <div className={classes.what}>
              <b>{name}</b>
            </div>
            <ActionIcon
              component="a"
              variant="subtle"
              color="gray"
              size="lg"
              href={src}
              download={name}
              aria-label={words.download(name)}
            >
              <IconDownload size={18} stroke={1.75} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={words.close}
              onClick={onClose}
              data-autofocus
            >
              <IconX size={18} stroke={1.75} />
            </ActionIcon>
          </div>
          {isOne && <iframe className={classes.paper} src={src} title={name} />}
          {isOne === false && (
            <div className={classes.cannot} role="status">
              <b>{words.cannotShow}</b>
              <span>{words.cannotShowLine}</span>
            </div>
          )}
        </div>
      </Modal.Content>
    </Modal.Root>
  )
}

/** Whether the file is really a PDF: any other file is a download, and would leave an empty frame. */
function useIsPdf(src: string): boolean | undefined {
  const [is, setIs] = useState<boolean>()
  useEffect(() => {
    const asking = new AbortController()
    fetch(src, { method: 'HEAD', signal: asking.signal })
      .then(({ ok, headers }) => setIs(ok && headers.get('content-type') === 'application/pdf'))
      .catch(() => asking.signal.aborted || setIs(false))
    return () => asking.abort()
  }, [src])
  return is
}
