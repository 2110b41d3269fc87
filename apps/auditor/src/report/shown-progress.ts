import { Progress } from './progress';

/** How far a command is, for whom it concerns: people at a terminal, or a program. */
export interface ShownProgress {
  /** @param total the things that are counted from now on; returns how to add to those that are done */
  start(total: number): (count: number) => void;
  /** What is worked at from now on. */
  enter(phase: string): void;
  /** The command has ended, well or not. */
  end(): void;
}

/** One line that changes at a terminal; elsewhere a line every two seconds, and none for what is over within one. */
export class ProgressForPeople implements ShownProgress {
  private progress: Progress | undefined;

  start(total: number): (count: number) => void {
    this.progress = new Progress(total);
    return this.progress.add;
  }

  enter(phase: string): void {
    this.progress?.say(phase);
  }

  end(): void {
    this.progress?.end();
  }
}
