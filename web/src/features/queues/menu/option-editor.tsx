import { Select, TextInput } from '@mantine/core'
import type { MenuLeafAction } from '@recado/contract/menu/menu'
import type { Queue } from '@recado/contract/queues'
import type { RefObject } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { MessageField } from '../../../parts/message-field.tsx'
import { skillTexts } from '../../../parts/routing/skill-texts.ts'
import { SkillsSelect } from '../../../parts/routing/skills-select.tsx'
import { FieldError } from '../../../ui/text-field.tsx'
import { maxQueueMessageLength } from '../queue-form-values.ts'
import classes from './menu.module.css'
import { menuTexts } from './menu-texts.ts'
import { changeOption, getChildren, getOptionNumber, getPath, type MenuNode, type MenuTree } from './menu-tree.ts'

type Props = {
  node: MenuNode
  tree: MenuTree
  /** Queues that the option may transfer to. */
  queues: Queue[]
  hasProblem: boolean
  titleRef: RefObject<HTMLInputElement | null>
  onChange: (tree: MenuTree) => void
}

/** The selected option: its title, text and effect. */
export function OptionEditor({ node, tree, queues, hasProblem, titleRef, onChange }: Props) {
  const words = useTexts(menuTexts)
  const skills = useTexts(skillTexts)
  const set = (part: Partial<MenuNode>) => onChange(changeOption(tree, node.key, part))
  const hasChildren = getChildren(tree, node.key).length > 0
  const number = getPath(tree, node.key).map((one) => getOptionNumber(tree, one))
  const help = hasChildren ? words.messageMenu : node.leads === 'end' ? words.messageEnd : words.messageLeaf
  return (
    <section className={classes.editor} aria-label={words.numbered(number.join('.'))}>
      <h3 className={classes.editorHead}>{words.numbered(number.join('.'))}</h3>
      <TextInput
        ref={titleRef}
        label={words.title}
        withAsterisk
        description={words.titleHelp}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        maxLength={120}
        autoComplete="off"
        value={node.title}
        error={hasProblem && node.title.trim() === '' && <FieldError>{words.titleMissing}</FieldError>}
        onChange={(event) => set({ title: event.currentTarget.value })}
      />
      <MessageField
        label={words.message}
        help={help}
        limit={maxQueueMessageLength}
        rows={2}
        value={node.message}
        onChange={(message) => set({ message })}
      />
      <OutcomeField {...{ node, queues, hasChildren: hasChildren, onChange: set }} />
      {!hasChildren && node.leads !== 'end' && (
        <SkillsSelect
          label={skills.skills}
          help={skills.ofOption}
          value={node.skillIds}
          onChange={(skillIds) => set({ skillIds })}
        />
      )}
    </section>
  )
}

type FollowsProps = {
  node: MenuNode
  queues: Queue[]
  hasChildren: boolean
  onChange: (part: Partial<MenuNode>) => void
}
function OutcomeField({ node, queues, hasChildren, onChange: set }: FollowsProps) {
  const words = useTexts(menuTexts)
  const below = ['label', 'input', 'error', 'description'] as ('label' | 'input' | 'error' | 'description')[]
  if (hasChildren)
    return (
      <Select
        label={words.leads}
        description={words.leadsMenuWhy}
        inputWrapperOrder={below}
        data={[words.leadsMenu]}
        value={words.leadsMenu}
        disabled
      />
    )
  const ways: { value: MenuLeafAction; label: string }[] = [
    { value: 'person', label: words.toPerson },
    { value: 'queue', label: words.toQueue },
    { value: 'end', label: words.end },
  ]
  return (
    <div className={classes.follows}>
      <Select
        label={words.leads}
        data={ways}
        value={node.leads}
        allowDeselect={false}
        comboboxProps={{ shadow: 'lg' }}
        onChange={(leads) => leads && set({ leads: leads as MenuLeafAction })}
      />
      {node.leads === 'queue' && (
        <Select
          label={words.queue}
          placeholder={words.pickQueue}
          data={queues.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={node.forwardQueueId === null ? null : String(node.forwardQueueId)}
          searchable={queues.length > 6}
          allowDeselect={false}
          comboboxProps={{ shadow: 'lg' }}
          onChange={(id) => set({ forwardQueueId: id === null ? null : Number(id) })}
        />
      )}
    </div>
  )
}
