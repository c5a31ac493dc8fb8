import { Button, Input } from '@mantine/core'
import { checkMenu } from '@recado/contract/menu/menu-check'
import type { Queue } from '@recado/contract/queues'
import { IconPlus } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import type { FieldSlot } from '../../../records/fields/field.ts'
import type { MenuPreview } from '../preview/use-menu-preview.ts'
import type { QueueFormValues } from '../queue-form-values.ts'
import classes from './menu.module.css'
import { MenuRows } from './menu-rows.tsx'
import { menuTexts } from './menu-texts.ts'
import {
  addOption,
  createMenuNode,
  findNode,
  getChildren,
  type MenuTree,
  removeOption,
  toDraftOptions,
} from './menu-tree.ts'
import { MenuWarnings } from './menu-warnings.tsx'
import { OptionEditor } from './option-editor.tsx'

type Props = { slot: FieldSlot<QueueFormValues>; queues: Queue[]; id: number; preview: MenuPreview }

/** The menu of a queue: its problems, its tree, and the selected option. */
export function MenuField({ slot: { form, error }, queues, id, preview }: Props) {
  const words = useTexts(menuTexts)
  const title = useRef<HTMLInputElement>(null)
  const tree = form.values.options
  const selectedNode = findNode(tree, preview.selected)
  const change = (next: MenuTree) => {
    form.clearFieldError('options')
    form.setFieldValue('options', next)
  }
  const addTo = (parentKey: string | null) => {
    const node = createMenuNode(parentKey)
    change(addOption(tree, node))
    preview.select(node.key)
    requestAnimationFrame(() => title.current?.focus())
  }
  const drop = (key: string) => {
    const gone = findNode(tree, key)
    const siblings = getChildren(tree, gone?.parentKey ?? null)
    const at = siblings.findIndex((node) => node.key === key)
    change(removeOption(tree, key))
    preview.select((siblings[at + 1] ?? siblings[at - 1])?.key ?? gone?.parentKey ?? null)
  }
  const findings = checkMenu(
    toDraftOptions(tree),
    queues.map((queue) => queue.id),
  )
  return (
    <div className={classes.menu}>
      <MenuWarnings findings={findings} tree={tree} onShowOption={preview.select} />
      <div className={classes.head}>
        <Input.Label labelElement="div">{words.menu}</Input.Label>
        {tree.length > 0 && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={15} stroke={2} />}
            onClick={() => addTo(null)}
          >
            {words.add}
          </Button>
        )}
      </div>
      {tree.length === 0 ? (
        <div className={classes.empty}>
          <p>{words.empty}</p>
          <Button variant="light" leftSection={<IconPlus size={17} stroke={2} />} onClick={() => addTo(null)}>
            {words.addFirst}
          </Button>
        </div>
      ) : (
        <MenuRows
          tree={tree}
          selected={preview.selected}
          queues={queues}
          hasProblem={!!error}
          onSelect={preview.select}
          onAdd={addTo}
          onRemove={drop}
          onChange={change}
        />
      )}
      {selectedNode && (
        <OptionEditor
          key={selectedNode.key}
          node={selectedNode}
          tree={tree}
          queues={queues.filter((queue) => queue.id !== id)}
          hasProblem={!!error}
          titleRef={title}
          onChange={change}
        />
      )}
    </div>
  )
}
