import { TextInput } from '@mantine/core'
import { type Tag, tagsApi } from '@recado/contract/tags'
import { fold } from '@recado/contract/text/fold'
import type { Ticket } from '@recado/contract/tickets'
import { IconPlus } from '@tabler/icons-react'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { mainColors } from '../../../records/fields/color-palette.ts'
import { useTags } from '../../select-option-queries.ts'
import classes from './head.module.css'
import { headerTexts } from './header-texts.ts'

type Props = { assignedTags: Ticket['tags']; onPick: (tag: Tag) => void }

/** The contract's minimum length of a tag. */
const minTagLength = 3

/** Adds tags one at a time. Enter takes the first match, or creates a missing tag. */
export function TagPicker({ assignedTags, onPick }: Props) {
  const words = useTexts(headerTexts)
  const [typed, setTyped] = useState('')
  const [making, setMaking] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const { data, refetch } = useTags()
  // The field takes the focus itself, because this code loads after the panel has set its initial focus.
  useEffect(() => input.current?.focus(), [])
  const name = typed.trim()
  const wanted = fold(name)
  const matchingTags = (data ?? []).filter(
    (tag) => !assignedTags.some((one) => one.id === tag.id) && fold(tag.name).includes(wanted),
  )
  const isNew = data !== undefined && name.length >= minTagLength && !data.some((tag) => fold(tag.name) === wanted)
  const pick = (tag: Tag) => {
    onPick(tag)
    setTyped('')
    input.current?.focus()
  }
  const make = async () => {
    if (making) return
    setMaking(true)
    try {
      const color = mainColors[(data?.length ?? 0) % mainColors.length] as string
      const tag = await callApi(tagsApi.create, { body: { name, color } })
      void refetch()
      pick(tag)
    } catch (error) {
      toast.error(error)
    } finally {
      setMaking(false)
    }
  }
  const enter = () => {
    if (matchingTags[0]) pick(matchingTags[0])
    else if (isNew) void make()
  }
  return (
    <>
      <TextInput
        ref={input}
        aria-label={words.findTag}
        placeholder={words.findTag}
        value={typed}
        maxLength={50}
        data-autofocus
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={({ key: pressed }) => pressed === 'Enter' && enter()}
      />
      <div className={classes.options}>
        {data && matchingTags.length === 0 && !isNew && <div className={classes.none}>{words.noTags}</div>}
        {matchingTags.map((tag) => (
          <button key={tag.id} type="button" className={classes.option} onClick={() => pick(tag)}>
            <span className={`${classes.dot} rc-dot`} style={{ '--c': tag.color } as CSSProperties} />
            {tag.name}
          </button>
        ))}
        {isNew && (
          <button type="button" className={classes.option} aria-disabled={making} onClick={() => void make()}>
            <IconPlus size={14} stroke={2} aria-hidden="true" />
            {words.makeTag(name)}
          </button>
        )}
      </div>
    </>
  )
}
