import { Button } from '@mantine/core'
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react'
import { downloadFile } from '../../lib/download.ts'
import { useTexts } from '../../lib/texts.ts'
import { useCopyText } from '../../ui/use-copy-text.ts'
import { twoFactorTexts } from './texts.ts'
import classes from './two-factor.module.css'

/** The recovery codes, which are shown only once. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
  const words = useTexts(twoFactorTexts)
  const text = `${codes.join('\n')}\n`
  const { wasCopied: copied, copy } = useCopyText(text)
  return (
    <div>
      <p className={classes.line}>{words.codesLine}</p>
      <ul className={classes.codes} aria-label={words.codesTitle}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={classes.buttons}>
        <Button
          variant="default"
          leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} stroke={1.75} />}
          onClick={copy}
        >
          {copied ? words.copied : words.copy}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.75} />}
          onClick={() => downloadFile(words.file, text, 'text/plain;charset=utf-8')}
        >
          {words.download}
        </Button>
      </div>
    </div>
  )
}
