import { Button, FileButton, Loader, Menu } from '@mantine/core'
import type { ImportedTypebot } from '@recado/contract/flows/typebot-import'
import { IconBooks, IconChevronDown, IconFileImport, IconListTree, IconPlus } from '@tabler/icons-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { Sheet } from '../../../ui/sheet.tsx'
import { emptyFlow } from './empty-flow.ts'
import { newFlowTexts } from './texts.ts'
import { useCreateFlow } from './use-create-flow.ts'

const MenuChoice = lazy(() => import('./menu-choice.tsx').then((module) => ({ default: module.MenuChoice })))
const TypebotResult = lazy(() => import('./typebot-result.tsx').then((module) => ({ default: module.TypebotResult })))
const LibraryList = lazy(() =>
  import('../library/library-list.tsx').then((module) => ({ default: module.LibraryList })),
)

type Open = 'menu' | 'library' | { imported: ImportedTypebot } | null

/** Starts a flow: empty, from the menu of a queue, from a file of Typebot or from the library. */
export function NewFlowButton() {
  const words = useTexts(newFlowTexts)
  const { create, isBusy } = useCreateFlow()
  const [open, setOpen] = useState<Open>(null)
  const chooseFile = useRef<HTMLButtonElement>(null)
  const readFile = async (file: File | null) => {
    if (!file) return
    const { readTypebotFile } = await import('./read-typebot-file.ts')
    const imported = readTypebotFile(await file.text())
    if (imported) setOpen({ imported })
    else toast.warn(words.notTypebot, words.notTypebotLine)
  }
  const title =
    open === 'menu'
      ? words.menuTitle
      : open === 'library'
        ? words.fromLibrary
        : open
          ? words.importTitle(open.imported.name || words.newName)
          : ''
  return (
    <>
      <Menu position="bottom-end" shadow="lg" width={260}>
        <Menu.Target>
          <Button
            leftSection={<IconPlus size={17} stroke={2} />}
            rightSection={<IconChevronDown size={15} stroke={2} />}
            loading={isBusy}
          >
            {words.create}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconPlus size={16} stroke={1.75} />}
            onClick={() => void create(words.newName, emptyFlow)}
          >
            {words.empty}
          </Menu.Item>
          <Menu.Item leftSection={<IconBooks size={16} stroke={1.75} />} onClick={() => setOpen('library')}>
            {words.fromLibrary}
          </Menu.Item>
          <Menu.Item leftSection={<IconListTree size={16} stroke={1.75} />} onClick={() => setOpen('menu')}>
            {words.fromMenu}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconFileImport size={16} stroke={1.75} />}
            onClick={() => chooseFile.current?.click()}
          >
            {words.fromTypebot}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <FileButton accept="application/json,.json" onChange={(file) => void readFile(file)}>
        {(props) => <button {...props} ref={chooseFile} type="button" hidden aria-hidden="true" tabIndex={-1} />}
      </FileButton>
      <Sheet opened={open !== null} onClose={() => setOpen(null)} title={title} size={open === 'library' ? 820 : 560}>
        <Suspense fallback={<Loader size="sm" m={24} />}>
          {open === 'menu' && <MenuChoice onCreate={create} isBusy={isBusy} />}
          {open === 'library' && <LibraryList kind="flow" />}
          {open !== null && typeof open === 'object' && (
            <TypebotResult imported={open.imported} onCreate={create} isBusy={isBusy} />
          )}
        </Suspense>
      </Sheet>
    </>
  )
}
