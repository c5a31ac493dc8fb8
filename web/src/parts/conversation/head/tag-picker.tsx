import { TextInput } from '@mantine/core'
import { type Tag, tagsApi } from '@recado/contract/tags'
import type { Ticket } from '@recado/contract/tickets'
import { fold } from '@recado/contract/words/fold'
import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, useState } from 'react'
import { call } from '../../../lib/api.ts'
import { useTexts } from '../../../lib/texts.ts'
import classes from './head.module.css'
import { headerTexts } from './header-texts.ts'

type Props = { taken: Ticket['tags']; onPick: (tag: Tag) => void }

/** The tags that are not on it yet. Enter takes the first one found. */
export function TagPicker({ taken, onPick }: Props) {
  const words = useTexts(headerTexts)
  const [typed, setTyped] = useState('')
  const { data } = useQuery({
    queryKey: ['tags', 'all'],
    queryFn: ({ signal }) => call(tagsApi.all, {}, { signal }),
  })
  const wanted = fold(typed.trim())
  const found = (data ?? []).filter(
    ({ id, name }) => !taken.some((one) => one.id === id) && fold(name).includes(wanted),
  )
  return (
    <>
      <TextInput
        aria-label={words.findTag}
        placeholder={words.findTag}
        value={typed}
        data-autofocus
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={({ key }) => key === 'Enter' && found[0] && onPick(found[0])}
      />
      <div className={classes.options}>
        {data && found.length === 0 && <div className={classes.none}>{words.noTags}</div>}
        {found.map((tag) => (
          <button key={tag.id} type="button" className={classes.option} onClick={() => onPick(tag)}>
            <span className={`${classes.dot} rc-dot`} style={{ '--c': tag.color } as CSSProperties} />
            {tag.name}
          </button>
        ))}
      </div>
    </>
  )
}
