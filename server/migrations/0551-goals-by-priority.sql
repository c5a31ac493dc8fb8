-- A queue's own goals for tickets of a priority, in minutes of opening hours. Null: as the queue has them.
alter table queues
  add "answerGoalUrgent" int check ("answerGoalUrgent" > 0),
  add "answerGoalHigh" int check ("answerGoalHigh" > 0),
  add "answerGoalLow" int check ("answerGoalLow" > 0),
  add "resolveGoalUrgent" int check ("resolveGoalUrgent" > 0),
  add "resolveGoalHigh" int check ("resolveGoalHigh" > 0),
  add "resolveGoalLow" int check ("resolveGoalLow" > 0);
