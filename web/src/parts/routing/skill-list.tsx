import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core'
import { maxSkills, type Skill, skillsApi } from '@recado/contract/routing/skills'
import { IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useLanguage, useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { openConfirm } from '../../ui/confirm.tsx'
import { languageOptions } from './languages.ts'
import classes from './skill-list.module.css'
import { skillTexts } from './skill-texts.ts'
import { skillsKey, useSkills } from './use-skills.ts'

/** The list is part of a form, which Enter must not save. */
const onEnter = (run: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Enter') return
  event.preventDefault()
  event.stopPropagation()
  run()
}

/** The company's skills; each change is saved at once. */
export function SkillList({ onAdded }: { onAdded: (id: number) => void }) {
  const words = useTexts(skillTexts)
  const { data: skills = [] } = useSkills()
  const reload = useReloadSkills()
  const [name, setName] = useState('')
  const add = async () => {
    if (!name.trim()) return
    try {
      const { id } = await callApi(skillsApi.create, { body: { name, language: null } })
      setName('')
      await reload()
      onAdded(id)
    } catch (error) {
      toast.error(error)
    }
  }
  return (
    <div className={classes.root}>
      {skills.length > 0 && (
        <ul className={classes.list}>
          {skills.map((skill) => (
            <SkillRow key={skill.id} skill={skill} />
          ))}
        </ul>
      )}
      {skills.length < maxSkills && (
        <div className={classes.new}>
          <TextInput
            label={words.newName}
            placeholder={words.newExample}
            maxLength={40}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            onKeyDown={onEnter(() => void add())}
          />
          <Button variant="default" disabled={!name.trim()} onClick={() => void add()}>
            {words.add}
          </Button>
        </div>
      )}
    </div>
  )
}

function useReloadSkills() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: skillsKey })
}

function SkillRow({ skill }: { skill: Skill }) {
  const words = useTexts(skillTexts)
  const [reader] = useLanguage()
  const reload = useReloadSkills()
  const [name, setName] = useState(skill.name)
  const save = async (change: Partial<Skill>) => {
    try {
      await callApi(skillsApi.update, { params: { id: skill.id }, body: { ...skill, ...change } })
      await reload()
    } catch (error) {
      setName(skill.name)
      toast.error(error)
    }
  }
  const rename = () => {
    if (name.trim() && name.trim() !== skill.name) void save({ name })
    else setName(skill.name)
  }
  const remove = async () => {
    const isSure = await openConfirm({
      title: words.removeAsk(skill.name),
      consequence: words.removeLine,
      verb: words.removeVerb,
    })
    if (isSure) await callApi(skillsApi.remove, { params: { id: skill.id } }).then(reload, toast.error)
  }
  return (
    <li className={classes.row}>
      <TextInput
        aria-label={words.name(skill.name)}
        maxLength={40}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={rename}
        onKeyDown={onEnter(rename)}
      />
      <NativeSelect
        aria-label={words.language(skill.name)}
        data={[{ value: '', label: words.noLanguage }, ...languageOptions(reader, [skill.language])]}
        value={skill.language ?? ''}
        onChange={(event) => void save({ language: event.currentTarget.value || null })}
      />
      <ActionIcon size={30} aria-label={words.remove(skill.name)} onClick={() => void remove()}>
        <IconTrash size={16} stroke={1.75} />
      </ActionIcon>
    </li>
  )
}
