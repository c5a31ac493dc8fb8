import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type KnowledgeHit, knowledgeApi } from '@recado/contract/ai/knowledge'
import { fold } from '@recado/contract/text/fold'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useErrorText } from '../../../lib/errors.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import classes from './prompt-knowledge.module.css'
import { texts } from './texts.ts'

/** Searches the knowledge in the same way as the bot. */
export function KnowledgeSearch({ promptId }: { promptId: number }) {
  const words = useTexts(texts)
  const errorText = useErrorText()
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed.trim(), 400)
  const query = useQuery({
    queryKey: ['knowledge-found', promptId, text],
    queryFn: ({ signal }) => callApi(knowledgeApi.find, { params: { promptId }, body: { text } }, { signal }),
    enabled: text !== '',
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
  const hits = text === '' ? undefined : query.data?.pieces
  return (
    <section className={classes.finder} aria-label={words.find}>
      <TextInput
        label={words.find}
        placeholder={words.findHint}
        leftSection={<IconSearch size={16} stroke={1.75} aria-hidden="true" />}
        maxLength={4096}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={query.isError && errorText(query.error)}
      />
      <div role="status">
        {hits?.length === 0 && <p className={classes.none}>{words.foundNothing}</p>}
        {hits?.map((piece) => (
          <KnowledgeHitCard key={piece.id} hit={piece} />
        ))}
      </div>
    </section>
  )
}

function KnowledgeHitCard({ hit: { name, place, heading, text, score, marks } }: { hit: KnowledgeHit }) {
  return (
    <article className={classes.piece}>
      <header>
        <b>{[name, place, heading].filter(Boolean).join(' · ')}</b>
        <span>{formatNumber(Math.round(score * 100) / 100)}</span>
      </header>
      <p>
        {splitByMarks(text.slice(0, 600), marks).map(({ part, isMark }, n) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: a text is cut in one way
          isMark ? <mark key={n}>{part}</mark> : part,
        )}
      </p>
    </article>
  )
}

/** Splits a text into parts, marking the words of the question. */
function splitByMarks(text: string, marks: string[]): { part: string; isMark: boolean }[] {
  const wanted = new Set(marks.map((mark) => fold(mark)))
  return text.split(/(\s+)/).map((part) => {
    const word = fold(part.replace(/[^\p{L}\p{N}]/gu, ''))
    return { part, isMark: word !== '' && wanted.has(word) }
  })
}
