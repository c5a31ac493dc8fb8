import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { defineTexts, useTexts } from '../../../lib/texts.ts'
import { useCopyText } from '../../../ui/use-copy-text.ts'
import classes from './code-block.module.css'
import type { CodeLanguage } from './code-examples.ts'
import { highlightCode } from './highlight-code.ts'

const texts = defineTexts({
  es: { copy: 'Copiar', copied: 'Copiado' },
  pt: { copy: 'Copiar', copied: 'Copiado' },
  en: { copy: 'Copy', copied: 'Copied' },
})

type Props = { code: string; language: CodeLanguage | 'json'; label: string; hasFrame?: boolean }

export function CodeBlock({ code, language, label, hasFrame }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={classes.code} data-boxed={hasFrame || undefined} tabIndex={0} aria-label={label}>
      <code>
        {highlightCode(code, language).map(({ kind, text }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces stand in their order
          <span key={i} data-kind={kind}>
            {text}
          </span>
        ))}
      </code>
    </section>
  )
}

/**
 * A button that copies a text and shows a confirmation for two seconds. `label` names the text when several can be
 * copied.
 */
export function CopyButton({ text, label, isSmall }: { text: string; label?: string; isSmall?: boolean }) {
  const words = useTexts(texts)
  const { wasCopied: copied, copy } = useCopyText(text)
  return (
    <Button
      variant={isSmall ? 'subtle' : 'default'}
      {...(isSmall && { color: 'gray', size: 'xs' })}
      leftSection={copied ? <IconCheck size={16} stroke={1.75} /> : <IconCopy size={16} stroke={1.75} />}
      onClick={copy}
      {...(label && { 'aria-label': copied ? words.copied : `${words.copy}: ${label}` })}
    >
      {copied ? words.copied : words.copy}
    </Button>
  )
}
