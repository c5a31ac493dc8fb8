import { useState } from 'react'
import { readText, writeText } from '../../../lib/storage.ts'
import { useTexts } from '../../../lib/texts.ts'
import type { Bearer } from '../bearers.ts'
import { Code, Copy } from '../code/code.tsx'
import { type CodeLanguage, codeLanguages, codeNames, exampleOf } from '../code/examples.ts'
import { texts as pageTexts } from '../texts.ts'
import { docTexts } from './doc-texts.ts'
import classes from './docs.module.css'
import { clientCode, type Draft, jsonOf, sampleOf, verifyCode } from './samples.ts'
import type { DocTopic } from './topics.ts'

const stored = 'codeLanguage'
const remembered = (): CodeLanguage => codeLanguages.find((one) => one === readText(stored)) ?? 'curl'

type Props = { topic: DocTopic; draft: Draft; bearer: Bearer | undefined }

/** The code of a topic, with one's own address and key in it. */
export function CodePane({ topic, draft, bearer }: Props) {
  const words = useTexts(docTexts)
  const { yourKey } = useTexts(pageTexts)
  const [language, setLanguage] = useState(remembered)
  const key = bearer?.shown || yourKey
  const place = { base: location.origin, key }
  const sample = sampleOf(topic, draft, words.hello)
  const json = jsonOf[topic] ?? (topic === 'events' ? words.eventExample : undefined)
  const inLanguages = sample !== null || topic === 'verify'
  const code = sample
    ? exampleOf(language, place, sample)
    : topic === 'verify'
      ? verifyCode[language]
      : (json ?? clientCode(place.base, key, words.hello))
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
                  writeText(stored, one)
                }}
              >
                {codeNames[one]}
              </button>
            ))}
          </div>
        ) : (
          <b className={classes.only}>{only}</b>
        )}
        <Copy text={code} small />
      </header>
      <Code
        code={code}
        language={inLanguages ? language : json !== undefined ? 'json' : 'javascript'}
        label={words.code}
      />
      {sample && bearer?.kind === 'key' && bearer.secret === '' && <p className={classes.hint}>{words.putKey}</p>}
    </section>
  )
}
