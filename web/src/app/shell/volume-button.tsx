import { Popover } from '@mantine/core'
import { IconVolume, IconVolumeOff } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useVolume } from '../../lib/sound.ts'
import { useTexts } from '../../lib/texts.ts'
import { texts } from './texts.ts'
import { TopBarButton } from './top-bar-button.tsx'
import classes from './volume.module.css'

const VolumePanel = lazy(() => import('./volume-panel.tsx').then((module) => ({ default: module.VolumePanel })))

export function VolumeButton() {
  const words = useTexts(texts)
  const [open, setOpen] = useState(false)
  const [volume, setVolume] = useVolume()
  const Icon = volume === 0 ? IconVolumeOff : IconVolume
  return (
    <Popover opened={open} onChange={setOpen} width={270} position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <TopBarButton label={words.volume} isActive={open} onClick={() => setOpen(!open)}>
          <Icon size={18} stroke={1.75} />
        </TopBarButton>
      </Popover.Target>
      <Popover.Dropdown className={classes.panel ?? ''} aria-label={words.volume}>
        <Suspense fallback={<div className={classes.room} />}>
          <VolumePanel volume={volume} setVolume={setVolume} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
