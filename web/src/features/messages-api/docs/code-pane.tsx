import { useState } from 'react'
import { readStoredText, writeStoredText } from '../../../lib/storage.ts'
import { useTexts } from '../../../lib/texts.ts'
import type { ApiCredential } from '../api-credentials.ts'
import { CodeBlock, CopyButton } from '../code/code-block.tsx'
import { type CodeLanguage, codeLanguageNames, codeLanguages, writeExample } from '../code/code-examples.ts'
import { texts as pageTexts } from '../texts.ts'
import { docTexts } from './doc-texts.ts'
import type { DocTopic } from './doc-topics.ts'
import classes from './docs.module.css'
import {
  clientSampleCode,
  type SampleDraft,
  sampleCallFor,
  sampleJsonByTopic,
  verifySignatureCode,
} from './sample-calls.ts'

const languageStorageKey = 'codeLanguage'
const readStoredLanguage = (): CodeLanguage =>
  codeLanguages.find((one) => one === readStoredText(languageStorageKey)) ?? 'curl'

type Props = { topic: DocTopic; draft: SampleDraft; credential: ApiCredential | undefined }

/** The code of a topic with the user's own URL and key. */
export function CodePane({ topic, draft, credential }: Props) {
  const words = useTexts(docTexts)
  const { yourKey } = useTexts(pageTexts)
  const [language, setLanguage] = useState(readStoredLanguage)
  const sample = sampleCallFor(topic, draft, words.hello)
  const json = sampleJsonByTopic[topic] ?? (topic === 'events' ? words.eventExample : undefined)
  const inLanguages = sample !== null || topic === 'verify'
  const writeCode = (key: string) => {
    if (sample) return writeExample(language, { base: location.origin, key }, sample)
    if (topic === 'verify') return verifySignatureCode[language]
    return json ?? clientSampleCode(location.origin, key, words.hello)
  }
  const only = json !== undefined ? 'JSON' : 'TypeScript'
  return (
    <section className={classes.pane} aria-label={words.code}>
      <header className={classes.paneHead}>
        {inLanguages ? (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that nobody has to read
          <div role="group" aria-label={words.language} className={classes.languages}>
            {codeLanguages.map((one) => (
              <button
                key={one}
                type="button"
                className={classes.pill}
                aria-pressed={one === language}
                onClick={() => {
                  setLanguage(one)
                  writeStoredText(languageStorageKey, one)
                }}
              >
                {codeLanguageNames[one]}
              </button>
            ))}
          </div>
        ) : (
          <b className={classes.only}>{only}</b>
        )}
        <CopyButton text={writeCode(credential?.copied || yourKey)} isSmall />
      </header>
      <CodeBlock
        code={writeCode(credential?.shown || yourKey)}
        language={inLanguages ? language : json !== undefined ? 'json' : 'javascript'}
        label={words.code}
      />
      {sample && credential?.kind === 'key' && credential.secret === '' && (
        <p className={classes.hint}>{words.putKey}</p>
      )}
    </section>
  )
}
