import { Button, TextInput } from '@mantine/core'
import { boardApi } from '@recado/contract/board/board'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import classes from './kanban.module.css'
import { LaneColorPicker, laneColors } from './lane-menu.tsx'
import { kanbanTexts } from './texts.ts'

/** A lane is a name and a colour. */
export function NewLaneForm({ onCreated }: { onCreated: () => void }) {
  const words = useTexts(kanbanTexts)
  const [name, setName] = useState('')
  const [color, setColor] = useState(laneColors[0] as string)
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState(false)
  const make = async () => {
    if (name.trim().length < 3) return setWrong(true)
    setBusy(true)
    try {
      await callApi(boardApi.create, { body: { name: name.trim(), color } })
      toast.ok(words.created, name.trim())
      onCreated()
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className={classes.menu}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void make()
      }}
    >
      <TextInput
        label={words.name}
        value={name}
        maxLength={50}
        data-autofocus
        error={wrong && name.trim().length < 3 ? words.short : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <LaneColorPicker value={color} onChange={setColor} />
      <Button type="submit" loading={busy}>
        {words.create}
      </Button>
    </form>
  )
}
