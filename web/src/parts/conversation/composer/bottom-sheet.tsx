import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { defineTexts, useTexts } from '../../../lib/texts.ts'
import classes from './bottom-sheet.module.css'

const texts = defineTexts({ es: { close: 'Cerrar' }, pt: { close: 'Fechar' }, en: { close: 'Close' } })

type Props = { opened: boolean; onClose: () => void; title: ReactNode; children: ReactNode; foot?: ReactNode }

/** On a phone: comes from below and is as high as its content, so that what it is about stays visible. */
export function BottomSheet({ opened, onClose, title, children, foot }: Props) {
  const words = useTexts(texts)
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="bottom"
      size="auto"
      title={title}
      classNames={{ content: classes.content ?? '', header: classes.header ?? '', body: classes.body ?? '' }}
      closeButtonProps={{ 'aria-label': words.close }}
      transitionProps={{ duration: 240 }}
    >
      <div className={classes.scroll}>{children}</div>
      {foot && <footer className={classes.foot}>{foot}</footer>}
    </Drawer>
  )
}
